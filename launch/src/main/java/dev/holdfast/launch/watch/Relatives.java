package dev.holdfast.launch.watch;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Which processes belong to which rank: those in its session and those that descend from it. A
 * process once seen to belong stays, also when its parent ends and it is handed to another.
 *
 * <p>Only processes not seen in the scan before are opened, and scans come further apart the longer
 * they take, so that a node with thousands of processes pays no more than one with a hundred.
 */
final class Relatives {
  private static final long SOONEST = 5_000_000_000L;

  /** A scan may use this share of the time between two. */
  private static final double SHARE = 0.0003;

  private static final int MOST_PROCESSES = 65_536;

  private final Path proc;
  private Map<Long, ProcStat> known = new HashMap<>();
  private long nextAt = Long.MIN_VALUE;

  Relatives(Path proc) {
    this.proc = proc;
  }

  /** Whoever is known already may belong to the one just added, so all are looked at again. */
  void scanSoon() {
    known = new HashMap<>();
    nextAt = Long.MIN_VALUE;
  }

  void scanIfDue(long now, Collection<SampledRank> ranks) {
    if (ranks.isEmpty() || (nextAt != Long.MIN_VALUE && now < nextAt)) {
      return;
    }
    long before = System.nanoTime();
    scan(ranks);
    long cost = System.nanoTime() - before;
    nextAt = now + Math.max(SOONEST, (long) (cost / SHARE));
  }

  private void scan(Collection<SampledRank> ranks) {
    Map<Long, ProcStat> found = new HashMap<>();
    Map<Long, ProcStat> fresh = new HashMap<>();
    for (String name : BoundedFile.list(proc, MOST_PROCESSES).names()) {
      if (name.isEmpty() || !Character.isDigit(name.charAt(0))) {
        continue;
      }
      long pid = Long.parseLong(name);
      ProcStat stat = known.get(pid);
      if (stat == null) {
        stat =
            ProcStat.parse(
                    BoundedFile.read(proc.resolve(name).resolve("stat"), 4096).text().orElse(""))
                .orElse(null);
        if (stat == null) {
          continue;
        }
        fresh.put(pid, stat);
      }
      found.put(pid, stat);
    }
    known = found;
    for (ProcStat stat : fresh.values()) {
      for (SampledRank rank : ranks) {
        if (belongs(stat, rank)) {
          rank.adopt(stat.pid());
        }
      }
    }
  }

  private boolean belongs(ProcStat stat, SampledRank rank) {
    if (stat.pid() == rank.pid) {
      return false;
    }
    if (stat.session() == rank.pid && rank.leadsSession()) {
      return true;
    }
    ProcStat at = stat;
    for (int depth = 0; depth < 64; depth++) {
      if (rank.has(at.parent())) {
        return true;
      }
      ProcStat above = known.get(at.parent());
      if (above == null || at.parent() <= 1) {
        return false;
      }
      at = above;
    }
    return false;
  }
}
