package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one stream of lines: a file, or the lines of a file that carry one label. A
 * few kilobytes however long it is, because there may be ten thousand of them.
 */
final class Speaker {
  private static final int MOST_MATCHES = 8;
  private static final int MOST_WAITS = 4;
  private static final int MOST_GROUPS = 16;

  final int id;
  final String file;
  final String place;

  /** The rank its name or its label tells, −1: none. */
  int rank;

  /** The place on the node its name or its label tells, −1: none. */
  final int local;

  String node;

  /** The GPU of its node NCCL's own lines begin with, −1: none; not the rank's place by itself. */
  int gpu = -1;

  /** A rank its lines name beside a local label, or NCCL's for the largest communicator. */
  int learned = -1;

  /** Of its file. */
  final Pace pace;

  long lines;
  long firstTime = Stamp.NONE;
  long lastTime = Stamp.NONE;
  long step = -1;
  long told;
  long stepTime = Stamp.NONE;
  long stepLine;

  /** It was asked to end: what it says later is a consequence. */
  @Nullable Said asked;

  final List<Match> matches = new ArrayList<>(2);
  final List<Wait> waits = new ArrayList<>(0);

  /** How much work NCCL had been given, by process group. */
  Map<String, Long> enqueued = Map.of();

  /** Ranks whose collectives differ, by the words of PyTorch. */
  final TreeSet<Integer> differing = new TreeSet<>();

  /** Ranks that Horovod waits for. */
  final TreeSet<Integer> missing = new TreeSet<>();

  final Beacons beacons = new Beacons();
  @Nullable NcclFacts nccl;
  boolean inTraceback;

  /** How far the traceback it is in stands from the left. */
  int indent;

  /** The traceback is that of the launcher, who has only heard of a failure. */
  boolean launchers;

  Speaker(int id, LogSource source, Pace pace, int rank, int local) {
    this.id = id;
    this.pace = pace;
    this.file = source.name();
    this.place = source.place();
    this.rank = rank;
    this.local = local;
    this.node = source.node();
  }

  /** Speakers with the same key are one rank. */
  String key() {
    if (rank >= 0) {
      return "rank " + rank;
    }
    return local >= 0
        ? (inFolder() ? place : file + " " + node) + " local " + local
        : "file " + file + " " + node;
  }

  /** Whether its folder is that of one rank, {@code 3/stderr.log}. */
  boolean inFolder() {
    return place.equals(String.valueOf(local)) || place.endsWith("/" + local);
  }

  void matched(int row, Said said) {
    matched(row, new Match.Before(said, pace));
  }

  void matched(int row, Match.Before line) {
    Match weakest = null;
    for (Match match : matches) {
      if (match.row == row) {
        match.again(line);
        return;
      }
      if (weakest == null || weaker(match, weakest)) {
        weakest = match;
      }
    }
    if (matches.size() < MOST_MATCHES) {
      matches.add(new Match(row, line));
    } else if (weakest != null && better(row, weakest.row)) {
      matches.remove(weakest);
      matches.add(new Match(row, line));
    }
  }

  /** The program goes on after what it said last. */
  void dealtWith(int row) {
    for (Match match : matches) {
      if (match.row == row) {
        match.dealtWith++;
      }
    }
  }

  private static boolean weaker(Match match, Match than) {
    return better(than.row, match.row);
  }

  private static boolean better(int row, int than) {
    Weight weight = FailureRules.all().get(row).weight();
    Weight other = FailureRules.all().get(than).weight();
    return weight != other ? weight.compareTo(other) < 0 : row < than;
  }

  void waits(Wait wait) {
    for (Wait known : waits) {
      if (known.group().equals(wait.group()) && known.sequence() == wait.sequence()) {
        return;
      }
    }
    if (waits.size() < MOST_WAITS) {
      waits.add(wait);
    }
  }

  void enqueued(String group, long work) {
    if (enqueued.isEmpty()) {
      enqueued = new HashMap<>(2);
    }
    if (enqueued.size() < MOST_GROUPS || enqueued.containsKey(group)) {
      enqueued.merge(group, work, Math::max);
    }
  }

  NcclFacts nccl() {
    NcclFacts facts = nccl;
    if (facts == null) {
      facts = new NcclFacts();
      nccl = facts;
    }
    return facts;
  }
}
