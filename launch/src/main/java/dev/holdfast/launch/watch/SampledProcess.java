package dev.holdfast.launch.watch;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The counters of one process, from files that stay open while it lives. */
final class SampledProcess {
  private final @Nullable ProcFile stat;
  private final @Nullable ProcFile io;
  private @Nullable ProcStat last;
  private long ioBytes = -1;
  private boolean gone;

  SampledProcess(Path proc, long pid) {
    Path folder = proc.resolve(Long.toString(pid));
    stat = ProcFile.open(folder.resolve("stat")).orElse(null);
    io = ProcFile.open(folder.resolve("io")).orElse(null);
  }

  void read() {
    Optional<ProcStat> now = stat == null ? Optional.empty() : ProcStat.parse(stat.text());
    gone = now.isEmpty();
    if (now.isPresent()) {
      last = now.get();
      ioBytes = io == null ? -1 : Math.max(ioBytes, IoCounters.bytes(io.text()));
    }
  }

  /** Whether it is still there; what is gone is closed. */
  boolean readOrClose() {
    read();
    if (gone) {
      close();
    }
    return !gone;
  }

  char state() {
    return gone || last == null ? ProcStat.GONE : last.state();
  }

  double cpuSeconds() {
    return last == null ? -1 : last.cpuSeconds();
  }

  /** −1: may not be read. */
  long ioBytes() {
    return ioBytes;
  }

  int threads() {
    return last == null ? 0 : last.threads();
  }

  long session() {
    return last == null ? -1 : last.session();
  }

  long started() {
    return gone || last == null ? -1 : last.started();
  }

  void close() {
    if (stat != null) {
      stat.close();
    }
    if (io != null) {
      io.close();
    }
  }
}
