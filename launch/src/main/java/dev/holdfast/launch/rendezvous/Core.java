package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the roles of one launcher share: what it knows, what time it is, what it wants done. */
final class Core {
  final Setup setup;
  final Member self;
  final Judge judge;
  final RandomGenerator random;
  final Queue<Message> toSelf = new ArrayDeque<>();
  List<Effect> effects = new ArrayList<>();

  /** Whether an arbiter says who leads, rather than a majority. */
  final boolean arbitrated;

  /** Until when the arbiter's word holds that this launcher leads. */
  long claimedUntil = Peer.NEVER;

  /** Milliseconds of a clock that only this launcher reads. */
  long now;

  /** The newest term heard of; words of older ones do not count. */
  long term;

  /** For whom it voted in this term, empty: nobody. */
  String votedFor = "";

  @Nullable JobRecord record;
  Quorum quorum = new Quorum(List.of());

  /** Who leads the term, null: not known. */
  @Nullable Member leader;

  /** Voters that said that they end and that no rank is left with them; nobody comes back. */
  final Set<String> gone = new HashSet<>();

  Core(Setup setup, boolean arbitrated, Judge judge, RandomGenerator random) {
    this.arbitrated = arbitrated;
    this.setup = setup;
    this.self = setup.self();
    this.judge = judge;
    this.random = random;
  }

  void resume(Memory memory) {
    term = memory.term;
    votedFor = memory.votedFor;
    leader = memory.leader;
    JobRecord held = memory.record;
    record = held;
    quorum = new Quorum(held == null ? List.of() : held.voters());
  }

  Version version() {
    JobRecord newest = record;
    return newest == null ? Version.NONE : newest.version();
  }

  /** Keeps the record if it is newer than the one held. */
  void adopt(JobRecord other) {
    if (other.version().compareTo(version()) > 0) {
      JobRecord older = record;
      record = other;
      if (older == null || !older.voters().equals(other.voters())) {
        quorum = new Quorum(other.voters());
      }
      enter(other.version().term());
      judge.told(other.attempt(), other.told());
    }
  }

  /** Goes on to a later term, in which it has not voted and knows no leader. */
  void enter(long other) {
    if (other > term) {
      term = other;
      votedFor = "";
      leader = null;
    }
  }

  boolean isSelf(@Nullable Member member) {
    return member != null && Names.same(member, self);
  }

  void send(Member to, Message message) {
    if (isSelf(to)) {
      toSelf.add(message);
    } else {
      send(Names.address(to), message);
    }
  }

  void send(String address, Message message) {
    effects.add(new Effect.Send(List.of(address), message));
  }

  /** The same to many; to itself at once, so that nothing it wants comes before. */
  void broadcast(Collection<Peer> peers, Message message) {
    List<String> addresses = new ArrayList<>(peers.size());
    for (Peer peer : peers) {
      if (isSelf(peer.member)) {
        toSelf.add(message);
      } else {
        addresses.add(peer.address);
      }
    }
    if (!addresses.isEmpty()) {
      effects.add(new Effect.Send(addresses, message));
    }
  }

  void note(String kind, String text) {
    effects.add(new Effect.Note(kind, text));
  }
}
