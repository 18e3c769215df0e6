package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who is to blame when ranks do not go on? In a ring everybody soon waits for everybody, so what a
 * rank complains about is only a hint: a process that ended comes first, then one that does not
 * answer, then what the complaints have in common.
 */
final class Blame {
  /** So long after the first hint, better ones are waited for. */
  private static final long GRACE_NANOS = 1_500_000_000;

  private static final int SIGNALLED = 128;

  private final long silenceNanos;
  private final RankSite site;
  private final IntToLongFunction pids;
  private final long[] heard;
  private final boolean[] known;

  /** In the order they came: those next to a cut are the first to stand still. */
  private final Map<Integer, Fields> complaints = new LinkedHashMap<>();

  private @Nullable Integer silent;
  private long firstHint;
  private boolean guessed;
  private @Nullable RankFailure sure;

  Blame(int ranks, long silenceNanos, RankSite site, IntToLongFunction pids) {
    this.silenceNanos = silenceNanos;
    this.site = site;
    this.pids = pids;
    this.heard = new long[ranks];
    this.known = new boolean[ranks];
  }

  /** A new order is given; time spent between orders is nobody's silence. */
  void begin(long now) {
    Arrays.fill(heard, now);
  }

  void heard(RankEvent event, long now) {
    switch (event) {
      case RankEvent.Said(int rank, Fields message) -> {
        heard[rank] = now;
        known[rank] = true;
        if (message.has("fault") || message.has("problem")) {
          hint(now);
          complaints.putIfAbsent(rank, message);
        }
      }
      case RankEvent.Silent(int rank) -> {
        hint(now);
        silent = silent == null ? rank : silent;
      }
      case RankEvent.Ended(int rank, int code) -> {
        if (sure == null) {
          sure = new RankFailure(rank, who(rank) + ending(rank, code));
        }
      }
    }
  }

  private String who(int rank) {
    return site.who(rank, pids.applyAsLong(rank));
  }

  /** Once a rank was heard of, its start was no problem. */
  private String ending(int rank, int code) {
    String advice = known[rank] ? "" : site.advice(rank, code);
    if (!advice.isEmpty()) {
      return " was not started (code %d; %s)".formatted(code, advice);
    }
    if (site.remote() && code == RemoteHosts.SSH_FAILED) {
      return " ended: it was killed, or the way to it broke";
    }
    return code > SIGNALLED
        ? " was killed by signal " + (code - SIGNALLED)
        : " ended with code " + code;
  }

  private void hint(long now) {
    firstHint = firstHint == 0 ? now : firstHint;
  }

  /** The verdict, once there is one. */
  @Nullable RankFailure verdict(long now, IntFunction<List<String>> said) {
    if (sure != null) {
      List<String> lines = said.apply(sure.rank());
      return lines.isEmpty()
          ? sure
          : new RankFailure(sure.rank(), sure.getMessage() + ": " + String.join(" / ", lines));
    }
    for (int rank = 0; rank < heard.length; rank++) {
      if (known[rank] && now - heard[rank] > silenceNanos) {
        return unanswered(rank, now);
      }
    }
    if (firstHint == 0 || now - firstHint < GRACE_NANOS) {
      return null;
    }
    for (int rank = 0; rank < heard.length; rank++) {
      if (known[rank] && now - heard[rank] > Math.max(silenceNanos / 2, GRACE_NANOS)) {
        return unanswered(rank, now);
      }
    }
    if (silent != null) {
      return new RankFailure(silent, who(silent) + " closed its connection");
    }
    return byComplaints();
  }

  private RankFailure unanswered(int rank, long now) {
    return new RankFailure(
        rank,
        "%s has not answered for %.1f s%s"
            .formatted(
                who(rank),
                (now - heard[rank]) / 1e9,
                site.remote()
                    ? ": it is stopped, its host is down, or the network between is cut"
                    : stopped(pids.applyAsLong(rank)) ? ": it is stopped" : ""));
  }

  /** Whether the verdict rests on what ranks complain about, which is only a hint. */
  boolean guessed() {
    return guessed;
  }

  private RankFailure byComplaints() {
    for (Map.Entry<Integer, Fields> entry : complaints.entrySet()) {
      if (entry.getValue().has("problem")) {
        return new RankFailure(
            entry.getKey(), who(entry.getKey()) + ": " + entry.getValue().text("problem"));
      }
    }
    guessed = true;
    // Whoever others wait for and who waits for nobody itself, else the first pair.
    for (Map.Entry<Integer, Fields> entry : complaints.entrySet()) {
      int peer = entry.getValue().integer("peer", -1);
      if (!complaints.containsKey(peer)) {
        return pair(peer, entry);
      }
    }
    Map.Entry<Integer, Fields> first = complaints.entrySet().iterator().next();
    return pair(first.getValue().integer("peer", -1), first);
  }

  private RankFailure pair(int peer, Map.Entry<Integer, Fields> complaint) {
    return new RankFailure(
        peer,
        "%s and %s are cut off from each other: at rank %d %s"
            .formatted(
                who(peer),
                who(complaint.getKey()),
                complaint.getKey(),
                complaint.getValue().text("fault")));
  }

  /** State T or t in /proc. */
  private static boolean stopped(long pid) {
    String stat = BoundedFile.read(Path.of("/proc/" + pid + "/stat"), 4096).text().orElse("");
    int name = stat.lastIndexOf(')');
    return name > 0 && stat.length() > name + 2 && "Tt".indexOf(stat.charAt(name + 2)) >= 0;
  }
}
