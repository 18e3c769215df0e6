package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which sets of voters may decide: more than half of all votes, so that any two such sets share a
 * voter. With an even number of voters the first one has two votes: two nodes then survive the loss
 * of the second, and four need only the first and one other.
 *
 * <p>A voter is a launcher, not a node: one started anew has forgotten what it promised and does
 * not vote.
 */
final class Quorum {
  private final int count;
  private final Map<String, Integer> places = new HashMap<>();

  Quorum(List<Member> voters) {
    count = voters.size();
    for (int i = 0; i < count; i++) {
      places.put(Names.id(voters.get(i)), i);
    }
  }

  /** The launcher's place among the voters, −1: it does not vote. */
  int place(Member member) {
    return places.getOrDefault(Names.id(member), -1);
  }

  /** How much the launcher's word counts. */
  int votes(Member member) {
    return votes(place(member));
  }

  boolean reached(int votes) {
    return votes >= needed();
  }

  boolean reached(Set<String> ids) {
    int votes = 0;
    for (String id : ids) {
      votes += votes(places.getOrDefault(id, -1));
    }
    return reached(votes);
  }

  /** The latest stamp that a majority has seen; the lowest number where there is none. */
  long seenByMajority(Collection<Peer> peers) {
    long[] stamps = new long[count + 1];
    int filled = 0;
    for (Peer peer : peers) {
      for (int i = 0; i < peer.votes && filled < stamps.length; i++) {
        stamps[filled++] = peer.stamp;
      }
    }
    Arrays.sort(stamps, 0, filled);
    return filled < needed() ? Long.MIN_VALUE : stamps[filled - needed()];
  }

  private int votes(int place) {
    if (place < 0) {
      return 0;
    }
    return place == 0 && count % 2 == 0 ? 2 : 1;
  }

  private int needed() {
    return count / 2 + 1;
  }
}
