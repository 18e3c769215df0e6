package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of Holdfast as a process of its own.
 *
 * <p>Integration tests start it as users do: from its jars, with the start-up cache, both made by
 * {@code dev/assemble} when the first of them asks. Unit tests, before there are jars, start it on
 * their own class path.
 */
public final class HoldfastProgram {
  /** Names the folder of the jars, where they were made before the tests. */
  private static final String JARS = "holdfast.jars";

  private static final String MAIN = "dev.holdfast.cli.Main";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private HoldfastProgram() {}

  /** Made once for each process of tests, by whichever asks first. */
  private static final class Home {
    private static final @Nullable Path LIB = made();

    private static @Nullable Path made() {
      String jars = System.getProperty(JARS, "");
      try {
        return jars.isEmpty() ? null : assembled(Path.of(jars)).resolve("lib");
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }

  /**
   * @param options of the virtual machine, such as {@code -Xmx64m}
   * @param words of Holdfast
   */
  public static List<String> command(List<String> options, List<String> words) {
    List<String> command = new ArrayList<>(java(options));
    command.addAll(words);
    return command;
  }

  /** The words before Holdfast's own. */
  public static List<String> java(List<String> options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    Path lib = Home.LIB;
    if (lib == null) {
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    } else {
      command.addAll(
          List.of(
              "-XX:AOTCache=" + lib.resolve("holdfast.aot"),
              "-cp",
              lib.resolve("holdfast-cli.jar").toString()));
    }
    command.add(MAIN);
    return command;
  }

  /** Several processes of tests may ask at once: one makes it, the others wait. */
  private static Path assembled(Path jars) throws IOException {
    Path home = jars.resolveSibling("assembled");
    try (FileChannel file =
            FileChannel.open(
                jars.resolveSibling("assembled.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      Path cache = home.resolve("lib/holdfast.aot");
      if (!Files.exists(cache) || changed(cache) < newest(jars)) {
        assemble(jars, home);
      }
      return home;
    }
  }

  private static void assemble(Path jars, Path home) throws IOException {
    Path log = jars.resolveSibling("assembled.log");
    String java = System.getProperty("java.home");
    Process process =
        new ProcessBuilder("dev/assemble", java, java, jars.toString(), home.toString())
            .directory(Path.of(System.getProperty("holdfast.root")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0 || !Files.exists(home.resolve("lib/holdfast.aot"))) {
        throw new IOException("dev/assemble made no program: " + Files.readString(log));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while the program was made", stopped);
    } finally {
      process.destroyForcibly();
    }
  }

  private static long newest(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(HoldfastProgram::changed).max().orElse(Long.MAX_VALUE);
    }
  }

  private static long changed(Path file) {
    return file.toFile().lastModified();
  }
}
