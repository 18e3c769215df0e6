package dev.holdfast.bench.logs;

import dev.holdfast.core.forensics.logs.LogAnalysis;
import dev.holdfast.core.forensics.logs.LogSource;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Ordinary logs by the megabyte: steps, chatter, warnings, NCCL's own lines; at the end of the last
 * rank's a failure, of the others' its consequence.
 */
public final class LogLoad {
  private static final long START = 1_794_800_000_000L;
  private static final int TRIES = 5;

  private LogLoad() {}

  /**
   * How fast one thread reads.
   *
   * @param best of several tries over the same bytes, megabytes in a second of one core
   * @param median of them
   */
  public record Speed(long bytes, double best, double median) {}

  /** Reads logs of this size from memory, on the calling thread. */
  public static Speed measure(int bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes + 4096);
    try {
      write(out, 3, 16, bytes);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    byte[] log = out.toByteArray();
    double[] rates = new double[TRIES];
    for (int i = 0; i < TRIES; i++) {
      long begin = processor();
      LogAnalysis analysis = new LogAnalysis();
      analysis.read(
          new LogSource(
              "rank3.log",
              LogSource.Kind.OUTPUT,
              3,
              -1,
              "",
              START,
              () -> new ByteArrayInputStream(log)));
      analysis.verdict();
      rates[i] = log.length / 1e6 / ((processor() - begin) / 1e9);
    }
    Arrays.sort(rates);
    return new Speed(log.length, rates[TRIES - 1], rates[TRIES / 2]);
  }

  /** Nanoseconds this thread has had a core; what others do meanwhile does not count. */
  private static long processor() {
    try {
      String spent = Files.readString(Path.of("/proc/thread-self/schedstat"));
      return Long.parseLong(spent.substring(0, spent.indexOf(' ')));
    } catch (IOException | NumberFormatException notTold) {
      return System.nanoTime();
    }
  }

  /** Writes a folder with one log for each rank; gives the bytes. */
  public static long folder(Path folder, int ranks, int bytesEach) throws IOException {
    long bytes = 0;
    for (int rank = 0; rank < ranks; rank++) {
      Path file = folder.resolve("rank" + rank + ".log");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
        write(out, rank, ranks, bytesEach);
      }
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static void write(OutputStream out, int rank, int ranks, int most) throws IOException {
    SplittableRandom random = new SplittableRandom(rank);
    StringBuilder line = new StringBuilder();
    long written = 0;
    long time = START;
    for (int step = 1; written < most; step++) {
      time += 300;
      line.setLength(0);
      stamp(line, time + random.nextInt(20));
      switch (step % 20) {
        case 3 ->
            line.append("INFO data loader: shard ").append(step).append(" of 8192 opened in 12 ms");
        case 7 ->
            line.append("INFO memory allocated 61.2 GiB reserved 70.1 GiB peak 74.")
                .append(step % 9);
        case 11 ->
            line.append("WARNING gradient norm ")
                .append(random.nextInt(900))
                .append(" is above the moving average");
        case 15 ->
            line.append("gpu07:4711:4799 [3] NCCL INFO Channel 0")
                .append(step % 8)
                .append("/0 : 3[3] -> 4[4] via P2P/CUMEM");
        default ->
            line.append("INFO iteration ")
                .append(step)
                .append("/ 500000 | consumed samples: ")
                .append(step * 2048L)
                .append(" | elapsed time per iteration (ms): 30")
                .append(random.nextInt(9))
                .append(".4 | lm loss: 2.")
                .append(100_000 + random.nextInt(800_000))
                .append("E+00 | loss scale: 1.0 | grad norm: 0.")
                .append(random.nextInt(900))
                .append(" | skipped: 0 | nan: 0 |");
      }
      line.append('\n');
      byte[] bytes = line.toString().getBytes(StandardCharsets.US_ASCII);
      out.write(bytes);
      written += bytes.length;
    }
    String end =
        rank == ranks - 1
            ? "[rank%d]: Traceback (most recent call last):\n[rank%d]: torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered\n"
                .formatted(rank, rank)
            : "[rank%d]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error\n"
                .formatted(rank);
    out.write(end.getBytes(StandardCharsets.US_ASCII));
  }

  private static void stamp(StringBuilder line, long millis) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(millis / 1000, 0, ZoneOffset.UTC);
    line.append(String.format(Locale.ROOT, "%1$tF %1$tT,%2$03d ", time, millis % 1000));
  }
}
