package dev.holdfast.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer that is killed at any moment loses nothing it had written, and the next one goes on. */
class TimelineIT {
  @TempDir Path folder;

  /** Writes moments until it is killed. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      try (Timeline timeline = Timeline.open(Path.of(arguments[0]))) {
        for (long step = 0; ; step++) {
          timeline.add(Kinds.STEP, "attempt", 0, "step", step, "filling", "x".repeat(500));
        }
      }
    }
  }

  @Test
  void killedWhileWriting() throws Exception {
    Path file = folder.resolve("timeline.log");
    int known = 0;
    for (int round = 0; round < 5; round++) {
      killWriter(file, 40 + round * 23);
      TimelineFile read = TimelineFile.read(file);
      assertThat(read.garbled()).as("only the last line may be broken").isLessThanOrEqualTo(1);
      assertThat(read.moments().size()).isGreaterThan(known);
      try (Timeline next = Timeline.open(file)) {
        assertThat(next.cutLines()).isEqualTo(read.garbled());
        next.add(Kinds.WATCHER_RESTARTED, "earlier", round);
      }
      TimelineFile after = TimelineFile.read(file);
      assertThat(after.garbled()).isZero();
      assertThat(after.moments()).hasSize(read.moments().size() + 1);
      known = after.moments().size();
    }
  }

  private static void killWriter(Path file, long millis) throws Exception {
    long before = Files.exists(file) ? Files.size(file) : 0;
    Process writer =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Writer.class.getName(),
                    file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    try {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!Files.exists(file) || Files.size(file) < before + 10_000) {
        assertThat(System.nanoTime()).as("the writer writes").isLessThan(deadline);
        assertThat(writer.isAlive()).isTrue();
        Thread.sleep(5);
      }
      Thread.sleep(millis);
    } finally {
      writer.destroyForcibly();
    }
    assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }
}
