package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against real pipes and files, with a thread in the place of torch's. */
class CollectiveWatchTest {
  private static final double SCALE = 0.01;

  @TempDir Path folder;
  private final List<Torch> torches = new ArrayList<>();

  /** Answers each byte in the pipe with a record that names the collective it is at. */
  private static final class Torch implements AutoCloseable {
    volatile int collective;
    volatile int asked;
    private volatile boolean over;
    private final FileChannel pipe;
    private final FlightRecorder recorder;
    private final Thread thread;

    Torch(FlightRecorder recorder, int collective) throws IOException {
      this.recorder = recorder;
      this.collective = collective;
      Command.of("mkfifo", recorder.pipe().toString()).run();
      pipe = FileChannel.open(recorder.pipe(), StandardOpenOption.READ, StandardOpenOption.WRITE);
      thread = Thread.ofPlatform().daemon().start(this::answer);
    }

    private void answer() {
      try {
        while (pipe.read(ByteBuffer.allocate(1)) > 0 && !over) {
          asked++;
          Files.write(recorder.dump(), record(collective));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private static byte[] record(int number) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(new byte[] {(byte) 0x80, 2, '}'});
      text(out, "pg_status");
      out.write('}');
      text(out, "0");
      out.write('}');
      text(out, "last_enqueued_collective");
      out.writeBytes(new byte[] {'K', (byte) number, 's', 's', 's', '.'});
      return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
      out.writeBytes(new byte[] {'X', (byte) text.length(), 0, 0, 0});
      out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads of pipes do not end when they are closed; a last byte wakes them. */
    @Override
    public void close() throws InterruptedException {
      over = true;
      recorder.ask();
      thread.join(5_000);
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Torch torch : torches) {
      torch.close();
    }
  }

  private FlightRecorder recorder(int rank) {
    return FlightRecorder.of(
            rank,
            Map.of(
                "TORCH_NCCL_DEBUG_INFO_PIPE_FILE",
                folder + "/pipe_",
                "TORCH_NCCL_DEBUG_INFO_TEMP_FILE",
                folder + "/trace_"))
        .orElseThrow();
  }

  private Torch torch(int rank, int collective) throws IOException {
    Torch torch = new Torch(recorder(rank), collective);
    torches.add(torch);
    return torch;
  }

  private CollectiveWatch watch(int... ranks) {
    CollectiveWatch watch = new CollectiveWatch(SCALE);
    List<FlightRecorder> recorders = new ArrayList<>();
    for (int rank : ranks) {
      recorders.add(recorder(rank));
    }
    watch.attemptBegins(recorders);
    return watch;
  }

  /** Looks until the time is over, at a hundred times the usual pace. */
  private static void look(CollectiveWatch watch, long signs, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      watch.second(System.nanoTime() / 1e9, signs);
      try {
        Thread.sleep(10);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Test
  void whereNothingMovesTheCollectiveOfEachRankIsKnownAfterTwoRecords() throws Exception {
    torch(0, 42);
    torch(1, 41);
    CollectiveWatch watch = watch(0, 1, 2);
    watch.second(System.nanoTime() / 1e9, 0);
    long end = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() < end && watch.collective(1) < 0) {
      look(watch, 0, 0.05);
    }
    assertThat(watch.collective(0)).isEqualTo(42);
    assertThat(watch.collective(1)).isEqualTo(41);
    assertThat(watch.collective(2)).isEqualTo(-1);
    assertThat(torches.getFirst().asked).isBetween(2, 4);
    look(watch, 1, 0.05);
    assertThat(watch.collective(0)).as("it went on").isEqualTo(-1);
  }

  @Test
  void aRankThatGoesOnBetweenTwoRecordsStandsNowhere() throws Exception {
    Torch torch = torch(0, 1);
    CollectiveWatch watch = watch(0);
    watch.second(System.nanoTime() / 1e9, 0);
    long end = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() < end && torch.asked < 3) {
      look(watch, 0, 0.02);
      torch.collective = torch.asked + 1;
    }
    assertThat(torch.asked).isGreaterThanOrEqualTo(3);
    assertThat(watch.collective(0)).isEqualTo(-1);
  }

  @Test
  void aRankThatGivesSignsIsNotAsked() throws Exception {
    Torch torch = torch(0, 1);
    CollectiveWatch watch = watch(0);
    for (int i = 0; i < 40; i++) {
      look(watch, i, 0.02);
    }
    assertThat(torch.asked).isZero();
  }

  @Test
  void whatIsNoPipeIsLeftAlone() throws Exception {
    FlightRecorder recorder = recorder(0);
    assertThat(recorder.ask()).as("nothing there").isFalse();
    Files.writeString(recorder.pipe(), "a file");
    assertThat(recorder.ask()).isFalse();
    assertThat(Files.readString(recorder.pipe())).isEqualTo("a file");
  }

  @Test
  void aPipeThatNobodyReadsHoldsNobodyUp() {
    FlightRecorder recorder = recorder(0);
    Command.of("mkfifo", recorder.pipe().toString()).run();
    long begun = System.nanoTime();
    recorder.ask();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    assertThat(recorder.read()).isEmpty();
  }

  @Test
  void theUsersOwnChoiceOfFilesIsFollowed() {
    assertThat(FlightRecorder.of(3, Map.of())).isEqualTo(Optional.empty());
    assertThat(recorder(3).pipe()).isEqualTo(folder.resolve("pipe_3.pipe"));
    assertThat(recorder(3).dump()).isEqualTo(folder.resolve("trace_3"));
  }
}
