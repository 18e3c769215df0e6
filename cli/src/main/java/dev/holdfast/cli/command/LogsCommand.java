package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.launch.run.JobSockets;
import dev.holdfast.launch.run.JobStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Show what a rank of a run wrote. */
@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show what a rank of a run on this machine wrote, the end of it by default.",
    footer = {
      "",
      "Examples:",
      "  holdfast logs --rank 7                  the last lines of the only run here",
      "  holdfast logs local-8x1 --rank 7 --follow",
      "  holdfast logs --rank 7 --stream err --attempt 0 --all"
    })
final class LogsCommand implements Callable<Integer> {
  private static final int END = 16 << 10;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "Its name or the end of it. Default: the only one.")
  private @Nullable String job;

  @Option(names = "--rank", required = true, paramLabel = "RANK", description = "Which rank.")
  private int rank;

  @Option(names = "--attempt", paramLabel = "N", description = "Default: the present one.")
  private @Nullable Integer attempt;

  @Option(names = "--stream", paramLabel = "NAME", description = "out or err. Default: out.")
  private Stream stream = Stream.OUT;

  @Option(names = "--all", description = "From the beginning.")
  private boolean all;

  @Option(names = "--follow", description = "Go on as it writes, until the run ends.")
  private boolean follow;

  /** Which of its two. */
  enum Stream {
    OUT,
    ERR
  }

  LogsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    JobStatus status = LocalJob.find(job);
    Path file = file(status);
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      long from = all ? 0 : beginning(log);
      from = copy(log, from);
      while (follow && !console.out().failed()) {
        boolean over = !running(status);
        from = copy(log, Math.min(from, log.length()));
        if (over) {
          break;
        }
        Thread.sleep(PAUSE);
      }
      return 0;
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.NO_JOB, file + ": " + Failures.why(unreadable), unreadable);
    }
  }

  private Path file(JobStatus status) {
    int local =
        status.ranks().stream()
            .filter(r -> r.node().equals(status.node()))
            .mapToInt(r -> r.rank())
            .min()
            .orElse(0);
    boolean here =
        status.ranks().stream().anyMatch(r -> r.rank() == rank && r.node().equals(status.node()));
    if (!here) {
      throw new HoldfastException(
          ErrorCode.NO_JOB, "rank " + rank + " does not run on this node (" + status.node() + ")");
    }
    int which = attempt == null ? status.attempt() : attempt;
    return Path.of(status.folder(), "attempt_" + which, Integer.toString(rank - local))
        .resolve(stream == Stream.OUT ? "stdout.log" : "stderr.log");
  }

  private static boolean running(JobStatus status) {
    return JobSockets.ofThisProcess().launchers().contains(status.job() + "@" + status.node());
  }

  private static long beginning(RandomAccessFile log) throws IOException {
    long from = Math.max(0, log.length() - END);
    log.seek(from);
    if (from > 0) {
      log.readLine();
    }
    return log.getFilePointer();
  }

  private long copy(RandomAccessFile log, long from) throws IOException {
    byte[] buffer = new byte[1 << 16];
    log.seek(from);
    int read;
    while ((read = log.read(buffer)) > 0) {
      console.out().exact(buffer, read);
      from += read;
    }
    return from;
  }
}
