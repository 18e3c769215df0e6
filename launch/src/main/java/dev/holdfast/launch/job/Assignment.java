package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Who runs which ranks in one attempt of a job, and where the ranks meet. The ranks of the first
 * member come first, each member's without a gap.
 *
 * @param attempt counts from 0, job-wide
 * @param restarts how many of the attempts before this one count against the budget
 * @param members in the order of their ranks
 * @param storeHost MASTER_ADDR of every rank
 * @param storePort MASTER_PORT of every rank; another one for each attempt
 */
public record Assignment(
    String job, int attempt, int restarts, List<Member> members, String storeHost, int storePort) {

  public Assignment {
    members = List.copyOf(members);
  }

  public int worldSize() {
    return members.stream().mapToInt(Member::processes).sum();
  }

  /** Where the node stands among the members (GROUP_RANK), if it takes part. */
  public OptionalInt nodeRank(String node) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).node().equals(node)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** The lowest rank of the member at this place. */
  public int firstRank(int nodeRank) {
    return members.subList(0, nodeRank).stream().mapToInt(Member::processes).sum();
  }

  /** The member that runs this rank. */
  public Member memberOf(int rank) {
    int first = 0;
    for (Member member : members) {
      if (rank >= first && rank < first + member.processes()) {
        return member;
      }
      first += member.processes();
    }
    throw new IllegalArgumentException("no rank " + rank + " among " + first);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "job",
        job,
        "attempt",
        attempt,
        "restarts",
        restarts,
        "members",
        members.stream().map(Member::json).toList(),
        "storeHost",
        storeHost,
        "storePort",
        storePort);
  }

  public static Assignment of(Fields fields) {
    return new Assignment(
        fields.text("job"),
        fields.integer("attempt"),
        fields.integer("restarts"),
        fields.objects("members").stream().map(Member::of).toList(),
        fields.text("storeHost"),
        fields.integer("storePort"));
  }
}
