package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The first launcher was started over with most of the others and begins the job anew. */
class BegunAnewTest {
  private static final Member OLD = new Member("n1", 1, "h1", 1, 1, 0);
  private static final Member ANEW = new Member("n1", 2, "h1", 1, 1, 0);
  private static final Member SELF = new Member("n2", 1, "h2", 1, 1, 0);

  private final Node node =
      new Node(
          new Setup("j", SELF, 2, 2, 0, "h1", 1, false, "", Set.of(), Timings.USUAL),
          false,
          new FakeJudge(3, false),
          new SplittableRandom(1),
          0);

  private static JobRecord record(Member leader) {
    List<Member> members = List.of(leader, SELF);
    return new JobRecord(
        new Version(1, 1, leader.incarnation()),
        members,
        Set.of(),
        "",
        new Assignment("j", 0, 0, members, "h1", 29500),
        null,
        List.of("0"));
  }

  private void hear(Member from, Message message, long now) {
    var _ = node.on(new Input.Received(from, message), now);
  }

  /**
   * It must take more than the first word of the new leader, which its old record does not know:
   * else it follows for good somebody from whom it accepts nothing, and no attempt gets its ranks.
   */
  @Test
  void whoHoldsTheRecordOfTheJobBeforeTakesThatOfTheNewOne() {
    hear(OLD, new Message.Prepare(1, 1, record(OLD)), 100);
    long later = 100 + Timings.USUAL.silenceMillis() + 1_000;
    JobRecord begun = record(ANEW);
    hear(
        ANEW,
        new Message.Tell(1, -1, -1, 1, false, -1, 0, "", false, -1, begun.version(), -1, 0, null),
        later);
    assertThat(node.view(later).role()).isEqualTo("member");
    hear(ANEW, new Message.Prepare(1, 2, begun), later + 1_000);
    assertThat(Objects.requireNonNull(node.record()).version()).isEqualTo(begun.version());
  }
}
