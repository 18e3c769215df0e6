package dev.holdfast.cli.command;

import dev.holdfast.bench.logs.LogLoad;
import dev.holdfast.bench.logs.LogScore;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.logs.LogVerdict;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.forensics.LogFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often are logs understood, how fast are they read, and in how much memory? */
final class BenchLogs {
  private static final int SPEED_BYTES = 200_000_000;
  private static final int FOLDER_BYTES = 40_000;

  private BenchLogs() {}

  static void measure(
      Console console,
      Map<String, @Nullable Object> tree,
      StringBuilder text,
      long seed,
      int cases,
      int ranks) {
    if (cases > 0) {
      ScoreTable score = new ScoreTable(LogScore.of(seed, cases), true);
      tree.put("logRows", score.rows());
      tree.put("logMistakes", score.score().mistakes());
      text.append(score.text(console));
    }
    LogLoad.Speed speed = LogLoad.measure(Math.min(SPEED_BYTES, room()));
    tree.put(
        "reading",
        Json.map(
            "bytes",
            speed.bytes(),
            "bestMegabytesPerSecond",
            speed.best(),
            "medianMegabytesPerSecond",
            speed.median()));
    text.append(
        "%.0f MB of one log: %.0f MB in a second of one core (best of five %.0f)%n"
            .formatted(speed.bytes() / 1e6, speed.median(), speed.best()));
    folder(tree, text, ranks);
  }

  /** An eighth of the heap, so that a small one can be tried, too. */
  private static int room() {
    return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 8);
  }

  private static void folder(Map<String, @Nullable Object> tree, StringBuilder text, int ranks) {
    try {
      Path folder = Files.createTempDirectory("holdfast-logs");
      try {
        long bytes = LogLoad.folder(folder, ranks, FOLDER_BYTES);
        long begin = System.nanoTime();
        LogVerdict verdict = LogFolder.read(folder);
        double seconds = (System.nanoTime() - begin) / 1e9;
        long peak = peak();
        tree.put(
            "folder",
            Json.map(
                "ranks",
                ranks,
                "bytes",
                bytes,
                "seconds",
                seconds,
                "heapLimitBytes",
                Runtime.getRuntime().maxMemory(),
                "residentPeakBytes",
                peak,
                "blamed",
                verdict.first().ranks()));
        text.append(
            "%d rank logs, %.0f MB: read and judged in %.1f s, process at most %.0f MiB with a heap of %.0f MiB: ranks %s%n"
                .formatted(
                    ranks,
                    bytes / 1e6,
                    seconds,
                    peak / 1048576.0,
                    Runtime.getRuntime().maxMemory() / 1048576.0,
                    verdict.first().ranks()));
      } finally {
        delete(folder);
      }
    } catch (IOException unwritable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "a folder for logs: " + unwritable.getMessage(), unwritable);
    }
  }

  /** The most memory this process had at once, by the kernel; 0: it does not say. */
  private static long peak() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    return 0;
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
