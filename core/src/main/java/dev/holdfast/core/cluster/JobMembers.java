package dev.holdfast.core.cluster;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.HostRun;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.NaturalOrder;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a job, in the order of their ranks. Nodes that follow each other with as many ranks
 * each are kept as one {@link Run}, so that a job of a hundred thousand nodes takes no more room
 * than what it was written with; a {@link JobMember} is made when it is asked for.
 *
 * <p>What is beyond the limits is not kept, and how much that is stands in {@link #leftOut}:
 * whoever takes a report refuses it, whoever reads what was taken in once goes on with the rest.
 */
public final class JobMembers extends AbstractList<JobMember> implements RandomAccess {
  public static final int MAX_NODES = 100_000;
  public static final int MAX_RUNS = 6_144;
  public static final int MAX_RANKS = 10_000_000;

  /** Hosts are named by so many words and ranges at most, however few runs they make. */
  private static final int MAX_PIECES = 12_288;

  /** What the names take when written: no more than a report is long. */
  private static final int MAX_LETTERS = 64 * 1024;

  private static final int MAX_NAME = 253;

  private final List<Run> runs;
  private final int[] begins;
  private final long leftOut;
  private final Map<HostRun.Family, TreeMap<Long, Long>> covered = new HashMap<>();

  /** Nodes that follow each other, each with as many ranks as the one before. */
  public record Run(HostRun hosts, int firstRank, int processes) {
    private JobMember member(int index) {
      return new JobMember(hosts.name(index), firstRank + index * processes, processes);
    }

    private boolean follows(Run before) {
      return processes == before.processes
          && firstRank == before.firstRank + before.hosts.count() * before.processes;
    }

    private Map<String, @Nullable Object> json() {
      return Json.map(
          hosts.count() == 1 ? "node" : "nodes",
          hosts.toString(),
          "firstRank",
          firstRank,
          "processes",
          processes);
    }
  }

  private JobMembers(List<Run> runs, long leftOut) {
    this.runs = List.copyOf(runs);
    this.leftOut = leftOut;
    this.begins = new int[runs.size() + 1];
    for (int i = 0; i < runs.size(); i++) {
      HostRun hosts = runs.get(i).hosts();
      begins[i + 1] = begins[i] + hosts.count();
      cover(covered.computeIfAbsent(hosts.family(), _ -> new TreeMap<>()), hosts);
    }
  }

  /** Numbers that are there, from and up to; no two of these touch. */
  private static void cover(TreeMap<Long, Long> numbers, HostRun hosts) {
    long from = hosts.first();
    long to = hosts.last();
    for (var near = numbers.floorEntry(to + 1);
        near != null && near.getValue() >= from - 1;
        near = numbers.floorEntry(to + 1)) {
      from = Math.min(from, near.getKey());
      to = Math.max(to, near.getValue());
      numbers.remove(near.getKey());
    }
    numbers.put(from, to);
  }

  public static JobMembers of(Collection<JobMember> members) {
    if (members instanceof JobMembers known) {
      return known;
    }
    Collector all = new Collector();
    for (JobMember member : members) {
      all.add(HostRun.of(member.node()), member.firstRank(), member.processes());
    }
    return all.members();
  }

  /**
   * The members in the elements of a report; one node may be written as {@code node}, too.
   *
   * @param leftOut how many were left out before
   */
  public static JobMembers read(List<Fields> elements, long leftOut) {
    Collector all = new Collector();
    all.written = leftOut;
    elements.forEach(all::read);
    return all.members();
  }

  public List<Run> runs() {
    return runs;
  }

  /** How many nodes were written that are not kept. */
  public long leftOut() {
    return leftOut;
  }

  /** Refuses what had to be cut. */
  void requireWhole() {
    if (leftOut > 0) {
      throw new IllegalArgumentException(
          "a job may have %,d nodes that are %,d ranges of %,d letters, and %,d ranks; %,d of its nodes are"
                  .formatted(MAX_NODES, MAX_RUNS, MAX_LETTERS, MAX_RANKS, leftOut)
              + " beyond that");
    }
  }

  /** The ranks of all nodes. */
  public long processes() {
    return runs.stream().mapToLong(it -> (long) it.processes() * it.hosts().count()).sum();
  }

  public boolean uses(String node) {
    HostRun host = HostRun.of(node);
    TreeMap<Long, Long> numbers = covered.get(host.family());
    var near = numbers == null ? null : numbers.floorEntry(host.first());
    return near != null && near.getValue() >= host.first();
  }

  /** Where a rank is; one node in any job that makes sense. */
  public Stream<String> at(int rank) {
    return runs.stream()
        .filter(it -> rank >= it.firstRank() && it.processes() > 0)
        .filter(it -> (rank - it.firstRank()) / it.processes() < it.hosts().count())
        .map(it -> it.member((rank - it.firstRank()) / it.processes()).node());
  }

  /** Those of the nodes that are among these; nothing is made for the others. */
  public List<String> among(Set<String> some) {
    return size() <= some.size()
        ? stream().map(JobMember::node).filter(some::contains).distinct().toList()
        : some.stream().filter(this::uses).sorted(NaturalOrder.NAMES).toList();
  }

  @Override
  public JobMember get(int index) {
    int low = 0;
    int high = runs.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (begins[middle] <= index) {
        low = middle;
      } else {
        high = middle;
      }
    }
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException(index);
    }
    return runs.get(low).member(index - begins[low]);
  }

  @Override
  public int size() {
    return begins[runs.size()];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobMembers members ? runs.equals(members.runs) : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  /**
   * In few words: runs that follow each other with as many ranks each are one element, so that a
   * job of thousands of nodes fits into a line.
   */
  public List<Map<String, @Nullable Object>> json() {
    List<Map<String, @Nullable Object>> elements = new ArrayList<>();
    for (int from = 0, to; from < runs.size(); from = to) {
      Run first = runs.get(from);
      to = from + 1;
      while (to < runs.size() && listed(first) && runs.get(to).follows(runs.get(to - 1))) {
        if (!listed(runs.get(to))) {
          break;
        }
        to++;
      }
      List<HostRun> hosts = runs.subList(from, to).stream().map(Run::hosts).toList();
      elements.add(
          to == from + 1 && first.hosts().count() == 1
              ? first.json()
              : Json.map(
                  "nodes",
                  Hostlist.write(hosts),
                  "firstRank",
                  first.firstRank(),
                  "processes",
                  first.processes()));
    }
    return elements;
  }

  private static boolean listed(Run run) {
    return Hostlist.holds(run.hosts().name(0));
  }

  /** Puts members together as long as there is room, and counts the others. */
  private static final class Collector {
    private final List<Run> runs = new ArrayList<>();
    private int pieces;
    private int letters;
    private int nodes;
    private long written;

    void read(Fields element) {
      int rank = element.integer("firstRank");
      int processes = element.integer("processes");
      if (!element.has("nodes")) {
        add(HostRun.of(requireName(element.text("node"))), rank, processes);
        return;
      }
      int before = nodes;
      try {
        written +=
            Hostlist.runs(
                element.text("nodes"),
                hosts -> keep(hosts, rank + (long) (nodes - before) * processes, processes));
      } catch (HoldfastException wrong) {
        throw new IllegalArgumentException(wrong.detail(), wrong);
      }
    }

    private static String requireName(String name) {
      if (name.length() > MAX_NAME) {
        throw new IllegalArgumentException("a node's name of " + name.length() + " letters");
      }
      return new Subject.Node(name).node();
    }

    void add(HostRun hosts, long rank, int processes) {
      written += hosts.count();
      boolean _ = keep(hosts, rank, processes);
    }

    /** Tells whether there was room for all of them. */
    private boolean keep(HostRun hosts, long rank, int processes) {
      boolean ranked = rank >= 0 && processes >= 0 && processes <= MAX_RANKS;
      long room = ranked && rank <= MAX_RANKS && pieces < MAX_PIECES ? MAX_NODES - nodes : 0;
      if (processes > 0) {
        room = Math.min(room, (MAX_RANKS - rank) / processes);
      }
      int count = (int) Math.min(hosts.count(), room);
      if (count <= 0) {
        return false;
      }
      pieces++;
      Run last = runs.isEmpty() ? null : runs.getLast();
      HostRun.Family family = hosts.family();
      boolean alike = last != null && last.hosts().family().equals(family);
      if (last != null && alike) {
        family = last.hosts().family(); // one for all of them
      }
      Run run = new Run(new HostRun(family, hosts.first(), count), (int) rank, processes);
      if (last != null
          && run.hosts().follows(last.hosts())
          && run.follows(last)
          && listed(run)) { // or it could not be written as a list
        runs.set(
            runs.size() - 1, new Run(run.hosts().after(last.hosts()), last.firstRank(), processes));
      } else if (runs.size() < MAX_RUNS && letters + hosts.letters(alike) <= MAX_LETTERS) {
        runs.add(run);
        letters += hosts.letters(alike);
      } else {
        return false;
      }
      nodes += count;
      return count == hosts.count();
    }

    JobMembers members() {
      return new JobMembers(runs, written - nodes);
    }
  }
}
