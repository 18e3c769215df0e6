package dev.holdfast.bench.net;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The small programs in {@code bench/peers} of a checkout: how they are built and what they print.
 */
final class PeerProgram {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PeerProgram() {}

  static Path source(Path checkout, String name) {
    return checkout.resolve("bench/peers").resolve(name);
  }

  /** Compiles one; always, as it takes less than a second. */
  static Path compiled(String compiler, Path checkout, String name) throws IOException {
    Path program =
        Files.createDirectories(checkout.resolve("bench/target/peers"))
            .resolve(name.replaceFirst("[.]c$", ""));
    CommandResult made =
        Command.of(
                compiler,
                "-O3",
                "-march=native",
                "-o",
                program.toString(),
                source(checkout, name).toString())
            .within(PATIENCE)
            .run();
    if (!made.succeeded()) {
      throw new IOException(compiler + " failed: " + made.why() + " " + made.error().strip());
    }
    return program;
  }

  /** Lines of a size in bytes and the seconds of calls; other lines are something else it said. */
  static Map<Long, double[]> calls(String output) {
    Map<Long, double[]> calls = new LinkedHashMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      try {
        double[] seconds =
            Arrays.stream(words, 1, words.length).mapToDouble(Double::parseDouble).toArray();
        if (seconds.length > 0) {
          calls.put(Long.parseLong(words[0]), seconds);
        }
      } catch (NumberFormatException other) {
        // Something else it had to say.
      }
    }
    return calls;
  }
}
