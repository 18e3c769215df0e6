package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares a text with a file of the repository; {@code -Dupdate.golden=true} rewrites it. */
public final class Golden {
  private Golden() {}

  /** The root of the checkout. */
  public static Path root() {
    return Path.of(System.getProperty("holdfast.root", ".."));
  }

  public static void verify(Path file, String actual) {
    try {
      if (Boolean.getBoolean("update.golden")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual);
      }
      assertThat(file).as("golden file; write it with -Dupdate.golden=true").exists();
      assertThat(actual).as("golden file " + file).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
