package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of logs as a person meets them. */
class DiagnoseLogsTest {
  @TempDir private Path folder = Path.of("");

  private final TestConsole console = new TestConsole();

  @BeforeEach
  void logsOfFourRanks() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      String head = "gpu0%d:410%d:7 [0] NCCL INFO ".formatted(1 + rank / 2, rank);
      StringBuilder log = new StringBuilder();
      log.append(head)
          .append(
              "comm 0x1 rank %d nranks 4 cudaDev 0 busId 1a000 - Init COMPLETE\n".formatted(rank));
      log.append(head).append("Channel 00/0 : 1[0] -> 2[0] [send] via NET/Socket/0\n");
      for (int step = 0; step < 5; step++) {
        log.append("2026-11-16 10:00:0%d,000 iteration %d loss 2.5\n".formatted(step, step));
      }
      log.append(
          rank == 2
              ? "2026-11-16 10:00:05,000 RuntimeError: CUDA error: unspecified launch failure\n"
              : "[rank%d]: ncclRemoteError: A call failed possibly due to a network error\n"
                  .formatted(rank));
      Files.writeString(folder.resolve("rank" + rank + ".log"), log);
    }
    Files.writeString(
        folder.resolve("dmesg-gpu02.txt"),
        "2026-11-16T10:00:04.900000Z gpu02 kernel: NVRM: Xid (PCI:0000:1a:00): 79, pid=4102,"
            + " name=python3, GPU has fallen off the bus.\n");
  }

  @Test
  void aPersonReadsWhoBeganItAndWhy() {
    assertThat(console.run("diagnose", folder.toString())).as(console.err()).isEqualTo(1);
    assertThat(console.out())
        .contains("logs: 5 files", "of 4 ranks")
        .contains("rank 2 on gpu02  lost-gpu, confidence 9")
        .contains("kernel of gpu02 (dmesg-gpu02.txt)")
        .contains("consequence: ranks 0-1,3")
        .contains("Timeline")
        .contains("10:00:04.900  kernel")
        .contains("nccl.socket")
        .contains("3× by ranks 0-1,3: ncclRemoteError");
    assertThat(console.out().lines()).allMatch(line -> line.length() <= 220);
  }

  @Test
  void aProgramReadsTheSame() {
    assertThat(console.run("diagnose", folder.toString(), "--job", "job-1", "--format", "json"))
        .isEqualTo(1);
    Fields answer = Fields.of("answer", Json.object(console.out()));
    assertThat(answer.text("schema")).isEqualTo("holdfast.diagnosis/1");
    Fields first = answer.objects("hypotheses").getFirst();
    assertThat(first.texts("culprits")).containsExactly("job/job-1/rank/2");
    assertThat(first.text("class")).isEqualTo("lost-gpu");
    assertThat(first.text("node")).isEqualTo("gpu02");
    Fields logs = answer.object("logs");
    assertThat(logs.objects("suspicions").getFirst().text("when"))
        .isEqualTo("2026-11-16T10:00:04.900Z");
    assertThat(logs.objects("findings").getFirst().text("id")).isNotBlank();
    assertThat(logs.objects("timeline")).isNotEmpty();
    assertThat(logs.objects("clocks")).hasSize(2);
  }

  @Test
  void aSingleLogIsEnough() {
    assertThat(console.run("diagnose", folder.resolve("rank2.log").toString())).isEqualTo(1);
    assertThat(console.out()).contains("rank 2").contains("CUDA error: unspecified launch failure");
  }

  @Test
  void aBrowserReadsAPage() {
    assertThat(console.run("diagnose", folder.toString(), "--format", "html")).isEqualTo(1);
    assertThat(console.out())
        .startsWith("<!DOCTYPE html>")
        .contains("Rank 2 on gpu02")
        .doesNotContain("http://")
        .doesNotContain("<script");
  }
}
