package dev.holdfast.bench.blame;

import dev.holdfast.bench.imports.Hints;
import dev.holdfast.bench.imports.Importers;
import dev.holdfast.bench.imports.Log;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.blame.Measure;
import dev.holdfast.core.network.blame.Outcome;
import dev.holdfast.core.network.blame.Pair;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures pairs with a command of the site's own: whatever starts traffic between two nodes there
 * and prints what came of it, as GB/s or as a benchmark prints it.
 *
 * <p>The command is given the names of the two, in place of {@code {a}} and {@code {b}} or else at
 * its end. That it fails or takes too long means that the pair does.
 */
public final class CommandMeasure implements Measure {
  private static final int MOST_TEXT = 4 << 20;
  private static final int LONGEST_WHY = 160;

  private final List<String> command;
  private final Duration deadline;
  private final int atOnce;
  private final Progress progress;

  /** Told after each pair. */
  public interface Progress {
    void done(String what, int done, int total);
  }

  /**
   * @param deadline of one pair
   * @param atOnce how many pairs are measured at the same time at most
   */
  public CommandMeasure(List<String> command, Duration deadline, int atOnce, Progress progress) {
    this.command = List.copyOf(command);
    this.deadline = deadline;
    this.atOnce = atOnce;
    this.progress = progress;
  }

  @Override
  public List<Outcome> round(int round, List<Pair> pairs) {
    Semaphore room = new Semaphore(atOnce);
    AtomicInteger done = new AtomicInteger();
    List<Outcome> outcomes = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Outcome>> running = new ArrayList<>();
      for (Pair pair : pairs) {
        running.add(
            threads.submit(
                () -> {
                  room.acquire();
                  try {
                    return measured(pair);
                  } finally {
                    room.release();
                    progress.done("round " + round, done.incrementAndGet(), pairs.size());
                  }
                }));
      }
      for (Future<Outcome> each : running) {
        outcomes.add(outcome(each));
      }
    }
    return outcomes;
  }

  private static Outcome outcome(Future<Outcome> future) {
    try {
      return future.get();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return new Outcome.Failed("interrupted");
    } catch (ExecutionException defect) {
      throw new IllegalStateException(defect.getCause());
    }
  }

  private Outcome measured(Pair pair) {
    CommandResult result =
        Command.of(arguments(pair.first().toString(), pair.second().toString()))
            .within(deadline)
            .limit(MOST_TEXT, 1 << 16)
            .run();
    if (!result.succeeded()) {
      String said = result.error().strip().lines().findFirst().orElse("");
      return new Outcome.Failed(said.isEmpty() ? result.why() : shortened(said));
    }
    OptionalDouble bandwidth = bandwidth(result.output());
    return bandwidth.isPresent() && bandwidth.getAsDouble() > 0
        ? new Outcome.Measured(bandwidth.getAsDouble())
        : new Outcome.Failed("printed no bandwidth: " + shortened(result.output().strip()));
  }

  private List<String> arguments(String first, String second) {
    boolean placed = command.stream().anyMatch(it -> it.contains("{a}") || it.contains("{b}"));
    List<String> arguments =
        new ArrayList<>(
            command.stream().map(it -> it.replace("{a}", first).replace("{b}", second)).toList());
    if (!placed) {
      arguments.add(first);
      arguments.add(second);
    }
    return arguments;
  }

  /** A number alone is GB/s; of a benchmark's results the best bus bandwidth counts. */
  static OptionalDouble bandwidth(String output) {
    try {
      return OptionalDouble.of(Double.parseDouble(output.strip()));
    } catch (NumberFormatException notAlone) {
      try {
        return Importers.read(
                new Log("output", output),
                Optional.empty(),
                new Hints(OptionalInt.of(2), Optional.empty()))
            .results()
            .stream()
            .mapToDouble(NetResult::busbw)
            .filter(Double::isFinite)
            .max();
      } catch (IllegalArgumentException unknown) {
        return OptionalDouble.empty();
      }
    }
  }

  private static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > LONGEST_WHY ? line.substring(0, LONGEST_WHY) + "…" : line;
  }
}
