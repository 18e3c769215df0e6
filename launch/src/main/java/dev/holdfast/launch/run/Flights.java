package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.FlightDump;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.watch.CollectiveWatch;
import dev.holdfast.launch.watch.FlightRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The flight recorders of this node's ranks, asked while something else is looked at. */
final class Flights {
  private final Map<Integer, Record> records = new ConcurrentSkipListMap<>();
  private final Thread asking;
  private final Duration limit;

  /**
   * What one of them answered.
   *
   * @param file the record, for PyTorch's own tools too
   * @param bytes its size; −1: none was written in time
   * @param told the last numbers in it, where they can be read
   */
  record Record(int rank, Path file, long bytes, Optional<FlightDump> told) {
    String text() {
      return bytes < 0
          ? "no answer"
          : file + ", " + new Bytes(bytes) + told.map(it -> ", " + it.text()).orElse("");
    }

    Map<String, @Nullable Object> json() {
      return Json.map(
          "rank",
          rank,
          "file",
          bytes < 0 ? null : file.toString(),
          "bytes",
          bytes < 0 ? null : bytes,
          "enqueued",
          told.map(FlightDump::enqueued).orElse(null),
          "started",
          told.map(FlightDump::started).orElse(null),
          "completed",
          told.map(FlightDump::completed).orElse(null));
    }
  }

  private Flights(List<FlightRecorder> recorders, Duration limit) {
    this.limit = limit;
    this.asking =
        Thread.ofPlatform().name("flight records").daemon().unstarted(() -> ask(recorders));
  }

  /** Asks all that can be asked; {@link #await} gives the answers. */
  static Flights ask(List<FlightRecorder> recorders, Duration limit) {
    Flights flights = new Flights(recorders, limit);
    flights.asking.start();
    return flights;
  }

  private void ask(List<FlightRecorder> recorders) {
    try {
      CollectiveWatch.records(recorders, limit)
          .forEach(
              (recorder, written) ->
                  records.put(
                      recorder.rank(),
                      new Record(
                          recorder.rank(),
                          recorder.dump(),
                          written ? recorder.size() : -1,
                          written ? recorder.read() : Optional.empty())));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** By rank; who has no recorder is not among them. */
  Map<Integer, Record> await() {
    try {
      asking.join(limit);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return new TreeMap<>(records);
  }
}
