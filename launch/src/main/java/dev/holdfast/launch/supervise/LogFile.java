package dev.holdfast.launch.supervise;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The file that keeps all bytes of a stream. When it cannot be written (disk full, file system gone
 * read-only), the job goes on without, and it is tried again every half minute. By one thread.
 */
final class LogFile {
  private static final long PAUSE = 30_000_000_000L;

  private final Path path;
  private final LogTroubles troubles;
  private Optional<FileChannel> channel = Optional.empty();
  private boolean failing;
  private long failedAt;
  private long lost;

  LogFile(Path path, LogTroubles troubles) {
    this.path = path;
    this.troubles = troubles;
  }

  void write(ByteBuffer bytes, long now) {
    if (failing && now - failedAt < PAUSE) {
      lost += bytes.remaining();
      return;
    }
    try {
      FileChannel file = channel.isPresent() ? channel.get() : open();
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      if (failing) {
        failing = false;
        troubles.works(lost);
        lost = 0;
      }
    } catch (IOException problem) {
      lost += bytes.remaining();
      failedAt = now;
      close();
      if (!failing) {
        failing = true;
        troubles.fails(path, problem);
      }
    }
  }

  private FileChannel open() throws IOException {
    Path folder = path.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    channel = Optional.of(file);
    return file;
  }

  void close() {
    try {
      if (channel.isPresent()) {
        channel.get().close();
      }
    } catch (IOException ignored) {
      // What could not be written was told; there is nothing else to lose here.
    }
    channel = Optional.empty();
  }
}
