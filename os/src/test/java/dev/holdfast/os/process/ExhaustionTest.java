package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExhaustionTest {
  @TempDir private Path folder;

  /** A process whose thread asks for too much of something while another would go on for ever. */
  static final class Asking {
    private static final List<Object> KEPT = new ArrayList<>();

    private Asking() {}

    public static void main(String[] arguments) throws Exception {
      Exhaustion.endsProcess();
      Thread asking = Thread.ofPlatform().start(() -> ask(arguments[0]));
      asking.join();
      System.exit(99);
    }

    private static void ask(String what) {
      switch (what) {
        case "heap" -> fill();
        case "direct" -> KEPT.add(ByteBuffer.allocateDirect(64 << 20));
        case "array" -> KEPT.add(new long[Integer.MAX_VALUE]);
        case "thread" -> new Thread(null, () -> {}, "large", 1L << 46).start();
        case "wrapped" -> wrapped();
        case "stack" -> deeper(0);
        default -> throw new IllegalStateException(what);
      }
    }

    private static void fill() {
      while (true) {
        KEPT.add(new byte[1 << 20]);
      }
    }

    private static void wrapped() {
      try {
        KEPT.add(ByteBuffer.allocateDirect(64 << 20));
      } catch (OutOfMemoryError full) {
        throw new CompletionException(full);
      }
    }

    private static int deeper(int depth) {
      return depth < 0 ? depth : deeper(depth + 1) + 1;
    }
  }

  private int run(String what) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx32m",
                "-XX:MaxDirectMemorySize=8m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Asking.class.getName(),
                what)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(what).toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Without the flag of the virtual machine: this is for what that misses. */
  @ParameterizedTest
  @ValueSource(strings = {"heap", "direct", "array", "thread", "wrapped"})
  void aThreadThatCannotHaveMemoryOrAThreadEndsTheProcess(String what) throws Exception {
    assertThat(run(what)).isEqualTo(Exhaustion.EXIT_CODE);
    assertThat(folder.resolve(what)).content().contains("ran out of memory or threads:");
  }

  @Test
  void aStackThatIsTooDeepEndsItsThreadOnly() throws Exception {
    assertThat(run("stack")).isEqualTo(99);
    assertThat(folder.resolve("stack")).content().contains("StackOverflowError", "has ended:");
  }

  @Test
  void whatWasCausedByAnotherFaultIsNone() {
    assertThat(Exhaustion.find(new IllegalStateException(new StackOverflowError()))).isNull();
    assertThat(Exhaustion.find(null)).isNull();
    Throwable deep = new OutOfMemoryError("Cannot reserve 8 bytes of direct buffer memory");
    assertThat(Exhaustion.find(new CompletionException(new IllegalStateException(deep))))
        .isSameAs(deep);
  }
}
