package dev.holdfast.launch.supervise;

import dev.holdfast.os.file.OwnFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The file that keeps all bytes of a stream. When it cannot be written (disk full, file system gone
 * read-only), the job goes on without, and it is tried again every half minute.
 */
final class LogFile {
  private static final long PAUSE = 30_000_000_000L;

  private final Path path;
  private final LogTroubles troubles;
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicLong lost = new AtomicLong();
  private Optional<FileChannel> channel = Optional.empty();
  private boolean refused;
  private long refusedAt;

  LogFile(Path path, LogTroubles troubles) {
    this.path = path;
    this.troubles = troubles;
  }

  /** By one thread. */
  void write(ByteBuffer bytes, long now) {
    if (refused && now - refusedAt < PAUSE) {
      lost.addAndGet(bytes.remaining());
      return;
    }
    try {
      FileChannel file = channel.isPresent() ? channel.get() : open();
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      refused = false;
      if (failing.compareAndSet(true, false)) {
        troubles.works(lost.getAndSet(0));
      }
    } catch (IOException problem) {
      refused = true;
      refusedAt = now;
      lost.addAndGet(bytes.remaining());
      fails(
          problem instanceof FileSystemException known && known.getReason() != null
              ? known.getReason()
              : String.valueOf(problem.getMessage()));
      close();
    }
  }

  /** By any thread: these bytes will not be written, because a write does not come back. */
  void lose(int bytes) {
    lost.addAndGet(bytes);
    fails("no answer for " + LogWriter.HANGS / 1_000_000_000L + " s");
  }

  private void fails(String why) {
    if (failing.compareAndSet(false, true)) {
      troubles.fails(path, why);
    }
  }

  private FileChannel open() throws IOException {
    Path folder = path.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel file = OwnFile.append(path);
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
