package dev.holdfast.testing.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a program answered.
 *
 * @param code its exit code; -1 when it had to be killed
 * @param output what it wrote, errors last
 */
public record Said(List<String> words, int code, String output, String error) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static Said by(List<String> words) {
    return by(words, Map.of(), PATIENCE);
  }

  static Said by(List<String> words, Map<String, String> environment, Duration patience) {
    try {
      Path output = Files.createTempFile("holdfast-said", ".out");
      Path error = Files.createTempFile("holdfast-said", ".err");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(words)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(error.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        return new Said(
            List.copyOf(words),
            ended ? process.exitValue() : -1,
            Files.readString(output),
            Files.readString(error));
      } finally {
        Files.delete(output);
        Files.delete(error);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + words, e);
    }
  }

  public boolean succeeded() {
    return code == 0;
  }

  /** Everything it wrote. */
  public String text() {
    return output + error;
  }

  /** Its output; an error when it did not end with 0. */
  public String orFail() {
    if (!succeeded()) {
      throw new AssertionError("%s: exit code %d%n%s".formatted(words, code, text()));
    }
    return output;
  }
}
