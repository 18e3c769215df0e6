package dev.holdfast.core.forensics.logs;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Logs of a job, made line by line. */
final class Logs {
  /** 2026-11-16, in the evening. */
  private static final long WRITTEN = 1_794_870_000_000L;

  private final Map<String, List<String>> files = new TreeMap<>();

  Logs file(String name, String... lines) {
    files.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(List.of(lines));
    return this;
  }

  Logs rank(int rank, String... lines) {
    return file("rank" + rank + ".log", lines);
  }

  /** So many ranks that did ten steps, four seconds each, told with the time of a node's clock. */
  Logs steps(int ranks, int perNode, int... aheadSeconds) {
    for (int rank = 0; rank < ranks; rank++) {
      int node = rank / perNode;
      int ahead = node < aheadSeconds.length ? aheadSeconds[node] : 0;
      String host = "gpu%02d".formatted(node + 1);
      rank(
          rank,
          "%s:%d:77 [%d] NCCL INFO comm 0x1 rank %d nranks %d cudaDev %d busId %x000 - Init COMPLETE"
              .formatted(
                  host, 4000 + rank, rank % perNode, rank, ranks, rank % perNode, 0x18 + rank));
      for (int step = 1; step <= 10; step++) {
        rank(rank, stamp(4 * step + ahead) + " INFO iteration " + step + " loss 2.5");
      }
    }
    return this;
  }

  /** {@code 2026-11-16 10:00:00,000} and so many seconds. */
  static String stamp(int seconds) {
    int all = 10 * 3600 + seconds;
    return "2026-11-16 %02d:%02d:%02d,000".formatted(all / 3600, all / 60 % 60, all % 60);
  }

  /** What PyTorch's watchdog says. */
  static String timeout(int rank, int seconds, int sequence, String operation) {
    return ("[rank%d]:[E1116 %s ProcessGroupNCCL.cpp:629] [Rank %d] Watchdog caught collective"
            + " operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=8, NumelOut=8,"
            + " Timeout(ms)=600000) ran for 600012 milliseconds before timing out.")
        .formatted(rank, stamp(seconds).substring(11).replace(',', '.'), rank, sequence, operation);
  }

  List<LogSource> sources() {
    List<LogSource> sources = new ArrayList<>();
    files.forEach(
        (name, lines) -> {
          byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
          sources.add(source(name, bytes));
        });
    return sources;
  }

  static LogSource source(String name, byte[] bytes) {
    LogNames told = LogNames.of(name);
    return new LogSource(
        name,
        told.kind(),
        told.rank(),
        told.local(),
        told.node(),
        WRITTEN,
        () -> new ByteArrayInputStream(bytes));
  }

  LogVerdict verdict() {
    return LogAnalysis.of(sources());
  }
}
