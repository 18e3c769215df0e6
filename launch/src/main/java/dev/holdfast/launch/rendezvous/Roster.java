package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All launchers a leader has heard of, and which of them can run an attempt. */
final class Roster {
  static final int MOST = 20_000;

  private final Core core;
  private final Map<String, Peer> peers = new LinkedHashMap<>();
  private final Map<String, Peer> newest = new HashMap<>();
  private final Set<String> excluded = new LinkedHashSet<>();
  private List<Peer> assigned = List.of();
  private final long silence;
  private long seenUntil = Peer.NEVER;

  Roster(Core core) {
    this.core = core;
    silence = core.setup.timings().silenceMillis();
    excluded.addAll(core.setup.excluded());
  }

  Collection<Peer> all() {
    return peers.values();
  }

  /** Who takes part in the newest attempt. */
  List<Peer> assigned() {
    return assigned;
  }

  Set<String> excluded() {
    return excluded;
  }

  /** The entry of a launcher, made when it is the first time; null: there are too many. */
  @Nullable Peer find(Member member) {
    Peer known = peers.get(Names.id(member));
    if (known != null) {
      return known;
    }
    if (peers.size() >= MOST) {
      peers.values().removeIf(p -> !fresh(p) && !p.assigned && p.votes == 0);
      if (peers.size() >= MOST) {
        return null;
      }
    }
    Peer peer = new Peer(member);
    peer.votes = core.quorum.votes(member);
    peers.put(Names.id(member), peer);
    Peer other = newest.get(member.node());
    if (other == null || other.member.incarnation() < member.incarnation()) {
      newest.put(member.node(), peer);
      if (other != null) {
        other.replaced = true;
      }
    } else {
      peer.replaced = true;
    }
    return peer;
  }

  void assign(Assignment assignment) {
    List<Peer> chosen = new ArrayList<>();
    for (Member member : assignment.members()) {
      Peer peer = find(member);
      if (peer != null) {
        chosen.add(peer);
      }
    }
    assigned.forEach(peer -> peer.assigned = false);
    chosen.forEach(peer -> peer.assigned = true);
    assigned = chosen;
  }

  /** Counts votes anew; needed once the voters are known. */
  void weigh() {
    for (Peer peer : peers.values()) {
      peer.votes = core.quorum.votes(peer.member);
    }
  }

  boolean fresh(Peer peer) {
    return core.isSelf(peer.member)
        ? peer.heardAt != Peer.NEVER && !peer.gone && !peer.replaced
        : peer.fresh(core.now, silence);
  }

  /** All other launchers that are there. */
  List<Peer> others() {
    return peers.values().stream().filter(p -> fresh(p) && !core.isSelf(p.member)).toList();
  }

  /** Who is there, without ranks, and not left out. */
  List<Peer> available() {
    List<Peer> available = new ArrayList<>();
    for (Peer peer : peers.values()) {
      if (fresh(peer) && !peer.live && !peer.fenced() && !excluded.contains(peer.member.node())) {
        available.add(peer);
      }
    }
    return available;
  }

  /** The members of the next attempt: whoever took part before stays, then spares, in order. */
  List<Member> pick(List<Peer> available) {
    Set<String> before = new LinkedHashSet<>();
    assigned.forEach(peer -> before.add(peer.member.node()));
    return available.stream()
        .map(peer -> peer.member)
        .sorted(
            Comparator.comparing((Member m) -> !before.contains(m.node()))
                .thenComparing(Names.RANKS))
        .limit(core.setup.max())
        .sorted(Names.RANKS)
        .toList();
  }

  /**
   * Whether a majority still owes this leader its word: each of them has seen a stamp and votes for
   * nobody else until the lease has passed since.
   */
  boolean authority() {
    if (core.arbitrated) {
      return core.now <= core.claimedUntil;
    }
    // A lone node is its own majority, however long it was not given a processor.
    if (core.record == null || core.setup.isAlone()) {
      return true;
    }
    if (core.now > seenUntil) {
      long seen = core.quorum.seenByMajority(peers.values());
      seenUntil = seen <= Peer.NEVER ? Peer.NEVER : seen + core.setup.timings().lease().toMillis();
    }
    return core.now <= seenUntil;
  }

  /** Whether the record counts: a majority holds it, or with an arbiter all who take part. */
  boolean holds(Version version) {
    if (core.arbitrated) {
      return assigned.stream().allMatch(p -> !fresh(p) || p.held.equals(version));
    }
    int votes = 0;
    for (Peer peer : peers.values()) {
      if (peer.votes > 0 && peer.held.equals(version)) {
        votes += peer.votes;
      }
    }
    return core.quorum.reached(votes);
  }
}
