package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Exhaustion;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerErrorsTest {
  /** Where Helidon keeps to itself what ended one of its threads. */
  private static final String TASK = "io.helidon.webserver.ThreadPerTaskExecutor$ThreadBoundFuture";

  /** A process in which a thread of Helidon's runs out of direct memory. */
  static final class Exhausted {
    private Exhausted() {}

    public static void main(String[] arguments) {
      ServerErrors.listen();
      System.getLogger(TASK)
          .log(
              System.Logger.Level.DEBUG,
              "Exception thrown from task",
              new OutOfMemoryError("Cannot reserve 8192 bytes of direct buffer memory"));
      System.exit(99);
    }
  }

  @Test
  void aThreadOfTheWebServerThatRunsOutOfMemoryEndsTheProcess() throws Exception {
    assertThat(Class.forName(TASK)).as("Helidon still has it").isNotNull();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Exhausted.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Exhaustion.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
  }
}
