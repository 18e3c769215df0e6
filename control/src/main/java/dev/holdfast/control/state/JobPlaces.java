package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.HostRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs run on a node? Hosts are kept in blocks of one, two, four, … that follow each other,
 * so that a job of thousands is in a few blocks and a host in one of each size. One thread writes,
 * any may read.
 */
final class JobPlaces {
  /** The largest block has as many hosts as the largest job. */
  private static final int LEVELS =
      Integer.SIZE - Integer.numberOfLeadingZeros(JobMembers.MAX_NODES);

  private final ConcurrentMap<Block, List<String>> jobs = new ConcurrentHashMap<>();

  private record Block(HostRun.Family family, int level, long number) implements Comparable<Block> {
    private static final Comparator<Block> ORDER =
        Comparator.comparing(Block::family)
            .thenComparingInt(Block::level)
            .thenComparingLong(Block::number);

    @Override
    public int compareTo(Block other) {
      return ORDER.compare(this, other);
    }
  }

  void enter(JobMembers members, String job) {
    each(members, block -> jobs.merge(block, List.of(job), JobPlaces::both));
  }

  void leave(JobMembers members, String job) {
    each(members, block -> jobs.computeIfPresent(block, (_, all) -> without(all, job)));
  }

  /** Their names in order. */
  Set<String> on(String node) {
    HostRun host = HostRun.of(node);
    Set<String> found = new TreeSet<>(Subject.NATURAL);
    for (int level = 0; level < LEVELS; level++) {
      found.addAll(at(new Block(host.family(), level, host.first() >> level)));
    }
    return found;
  }

  /** The most jobs in one of the blocks of these nodes that are counted. */
  int most(JobMembers members, Predicate<String> counted) {
    int[] most = {0};
    each(
        members,
        block -> {
          List<String> there = at(block);
          if (there.size() > most[0]) {
            most[0] = Math.max(most[0], (int) there.stream().filter(counted).count());
          }
        });
    return most[0];
  }

  private List<String> at(Block block) {
    return jobs.getOrDefault(block, List.of());
  }

  private static void each(JobMembers members, Consumer<Block> what) {
    for (JobMembers.Run run : members.runs()) {
      HostRun hosts = run.hosts();
      for (long from = hosts.first(); from <= hosts.last(); ) {
        int aligned = Long.numberOfTrailingZeros(from);
        int fitting = Long.SIZE - 1 - Long.numberOfLeadingZeros(hosts.last() - from + 1);
        int level = Math.min(LEVELS - 1, Math.min(aligned, fitting));
        what.accept(new Block(hosts.family(), level, from >> level));
        from += 1L << level;
      }
    }
  }

  private static List<String> both(List<String> old, List<String> more) {
    if (old.containsAll(more)) {
      return old;
    }
    List<String> all = new ArrayList<>(old);
    all.addAll(more);
    all.sort(Subject.NATURAL); // whoever reads the journal from a checkpoint has the same
    return List.copyOf(all);
  }

  private static @Nullable List<String> without(List<String> all, String job) {
    List<String> fewer = new ArrayList<>(all);
    fewer.remove(job);
    return fewer.isEmpty() ? null : List.copyOf(fewer);
  }
}
