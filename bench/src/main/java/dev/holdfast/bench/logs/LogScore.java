package dev.holdfast.bench.logs;

import dev.holdfast.bench.score.Score;
import dev.holdfast.core.forensics.logs.LogAnalysis;
import dev.holdfast.core.forensics.logs.LogNames;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.logs.LogSuspicion;
import dev.holdfast.core.forensics.logs.LogVerdict;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How often logs are understood, on jobs whose fault is known. */
public final class LogScore {
  private static final long WRITTEN = 1_794_900_000_000L;

  private LogScore() {}

  /** Tries the cases of these seeds. Where it cannot be told, to blame the node is right, too. */
  public static Score of(long firstSeed, int cases) {
    return Score.of(firstSeed, cases, LogScore::tryOne);
  }

  private static Score.Outcome tryOne(long seed) {
    LogCase one = LogMaker.make(seed);
    LogSuspicion best = read(one.files()).first();
    Set<Integer> blamed = new TreeSet<>(best.ranks());
    boolean byNode = blamed.isEmpty() && !best.node().isEmpty();
    boolean nodeRight = best.node().equals(one.node());
    boolean exact =
        byNode
            ? nodeRight && (one.culprits().isEmpty() || one.nodeOnly())
            : !blamed.isEmpty() && blamed.equals(one.culprits());
    return new Score.Outcome(
        one.fault(),
        one.fault().word(),
        one.decidable(),
        exact,
        List.of(one.fault().classes.split(" ", -1)).contains(best.kind().word()),
        byNode ? !nodeRight : !one.culprits().containsAll(blamed),
        exact || !one.decidable() && (!best.blames() || byNode && nodeRight),
        "seed %d %s %s: %s %s%s, answered %s %s %s %.2f"
            .formatted(
                seed,
                one.fault().word(),
                one.note(),
                one.culprits(),
                one.node(),
                one.decidable() ? "" : " (cannot be told)",
                best.kind().word(),
                blamed,
                best.node(),
                best.confidence()));
  }

  /** Reads files of a case as if they lay in a folder. */
  static LogVerdict read(Map<String, byte[]> files) {
    List<LogSource> sources = new ArrayList<>();
    files.forEach(
        (name, bytes) -> {
          LogNames told = LogNames.of(name);
          sources.add(
              new LogSource(
                  name,
                  told.kind(),
                  told.rank(),
                  told.local(),
                  told.node(),
                  WRITTEN,
                  () -> new ByteArrayInputStream(bytes)));
        });
    return LogAnalysis.of(sources);
  }
}
