package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.job.StepTime;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WireTest {
  private static final Version VERSION = new Version(3, 8, 1_700_000_000_000L);
  private static final JobRecord.Ending ENDING = new JobRecord.Ending(7, "\"why\"\n");

  private static JobRecord record(int nodes) {
    List<Member> members =
        IntStream.range(0, nodes)
            .mapToObj(i -> new Member("gpu" + i, 1_700L + i, "10.0.0." + i, 29400, 8, i))
            .toList();
    Assignment assignment = new Assignment("j", 4, 2, members, "gpu0", 29501);
    return new JobRecord(
        VERSION,
        members,
        Set.of("gpu7"),
        "rank 3 hung",
        assignment,
        ENDING,
        List.of("history", "of the job"));
  }

  @Test
  void everyMessageComesBackAsItWasSent() {
    RankEvidence evidence =
        new RankEvidence(3, "n1", -1, 9, false, 5, List.of("a", "b"), "boom", 6, 7);
    RankActivity activity =
        new RankActivity(3, 99, 'D', 1.5, 2, 3, 4, 5, "save", "key", "futex")
            .with(
                new DeviceLoad("GPU-8f", 80, 1 << 30),
                77,
                List.of(new StepTime(4, 1.25), new StepTime(8, 2.5)));
    Member member = new Member("n1", 2, "h", 3, 4, 5);
    for (Message message :
        List.of(
            new Message.Renew(
                1,
                2,
                3,
                VERSION,
                4,
                true,
                3,
                false,
                1,
                List.of(evidence),
                List.of(activity),
                ENDING),
            new Message.Renew(
                1, 2, -1, Version.NONE, -1, false, -1, true, 0, List.of(), null, null),
            new Message.Tell(1, 2, 3, 4, true, 5, 6, "why", true, 7, VERSION, 42, 8, ENDING),
            new Message.Tell(1, -1, -1, 4, false, -1, 0, "", false, -1, Version.NONE, -1, 0, null),
            new Message.Collect(3, 4),
            new Message.Prepare(3, 4, record(3)),
            new Message.Canvass(4, true, VERSION),
            new Message.Ballot(4, true, false, 9, record(2)),
            new Message.Ballot(4, false, true, 4, null),
            new Message.Redirect(4, VERSION, member),
            new Message.Redirect(4, VERSION, null),
            new Message.Bye(4, "gone"))) {
      assertThat(Wire.message(text(message))).isEqualTo(message);
    }
  }

  @Test
  void theRecordOfFourThousandNodesIsPacked() {
    Message message = new Message.Prepare(3, 4, record(4_000));
    byte[] line = Wire.line(message);
    assertThat(line.length).isLessThan(200_000);
    assertThat(Wire.message(text(message))).isEqualTo(message);
  }

  @Test
  void endlessTextsAreCutSoThatTheOtherSideCanReadThem() {
    String endless = "x".repeat(100_000);
    RankEvidence evidence =
        new RankEvidence(
            3, "n1", 1, 0, false, 5, java.util.Collections.nCopies(1_000, endless), endless, 6, 7);
    Message renew =
        new Message.Renew(1, 2, 3, VERSION, 4, true, 3, false, 0, List.of(evidence), null, null);
    assertThat(Wire.message(text(renew)))
        .isInstanceOfSatisfying(
            Message.Renew.class,
            read -> assertThat(read.evidence().getFirst().lastLines()).hasSize(200));
    Message tell =
        new Message.Tell(1, 2, 3, 4, true, 5, 6, endless, false, 7, VERSION, 42, 8, ENDING);
    assertThat(Wire.message(text(tell))).isInstanceOf(Message.Tell.class);
  }

  private static String text(Message message) {
    byte[] line = Wire.line(message);
    assertThat(line[line.length - 1]).isEqualTo((byte) '\n');
    return new String(line, 0, line.length - 1, StandardCharsets.UTF_8);
  }
}
