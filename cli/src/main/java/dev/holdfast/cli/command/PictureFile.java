package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a picture goes: into a file, or with "-" to the answer. */
final class PictureFile {
  static final String ANSWER = "-";

  private PictureFile() {}

  static void write(String picture, String file, Console console) {
    if (file.equals(ANSWER)) {
      console.document(picture);
      return;
    }
    try {
      AtomicFile.write(Path.of(file), picture.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE,
          "the picture was not written: " + file + " (" + Failures.why(e) + ")",
          e);
    }
  }

  /** Says so before hours of measuring, not after them. */
  static void requirePlace(String file) {
    Path folder = Path.of(file).toAbsolutePath().getParent();
    if (file.equals(ANSWER)) {
      return;
    }
    if (folder != null && !(Files.isDirectory(folder) && Files.isWritable(folder))) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE,
          "the picture could not be written: " + folder + " is no folder to write to");
    }
    if (Files.isDirectory(Path.of(file))) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, "the picture could not be written: " + file + " is a folder");
    }
  }
}
