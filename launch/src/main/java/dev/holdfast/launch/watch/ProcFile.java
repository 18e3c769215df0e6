package dev.holdfast.launch.watch;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file of {@code /proc} read again and again. It is kept open, for two reasons: reading costs a
 * third of opening, and the kernel ties an open one to its process, so that a number given to
 * another process later can never be mistaken for the first.
 */
final class ProcFile implements Closeable {
  /** One buffer a thread is enough; the files are a line or a few. */
  private static final int LIMIT = 4096;

  private final RandomAccessFile file;
  private final byte[] buffer;

  private ProcFile(RandomAccessFile file, byte[] buffer) {
    this.file = file;
    this.buffer = buffer;
  }

  /** Opens it, if it is there and may be read. */
  static Optional<ProcFile> open(Path path) {
    try {
      return Optional.of(new ProcFile(new RandomAccessFile(path.toFile(), "r"), new byte[LIMIT]));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** What it says now; empty when the process is gone or the right to read was lost. */
  String text() {
    try {
      file.seek(0);
      int length = file.read(buffer, 0, LIMIT);
      return length <= 0 ? "" : new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException alreadyGone) {
      // Nothing was written, so nothing is lost.
    }
  }
}
