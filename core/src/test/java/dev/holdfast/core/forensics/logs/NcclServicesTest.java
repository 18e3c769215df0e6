package dev.holdfast.core.forensics.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.FailureClass;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What NCCL's own services write; forms as documented. */
class NcclServicesTest {
  private static final String[] HEAD = {
    "Job summary",
    "===========",
    "Communicators... (0.00s)",
    "=============",
    "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors",
    "    #  in group  per comm  per node  per comm  in group",
  };

  @Test
  void ranksThatLaunchedLessAreWhomTheOthersWaitFor() {
    Logs logs =
        new Logs()
            .file("ncclras.txt", HEAD)
            .file(
                "ncclras.txt",
                "    0         1         2         4         8         8   RUNNING  MISMATCH",
                "Warnings",
                "========",
                "#0-0 (27a079b828ff1a75) MISMATCH",
                "  Communicator ranks have different collective operation counts",
                "  7 ranks have launched up to operation 6650",
                "  Rank 5 has launched up to operation 6649 -- GPU 1 managed by process 48 on node"
                    + " n2");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().ranks()).containsExactly(5);
    assertThat(verdict.first().kind()).isEqualTo(FailureClass.HANG);
    assertThat(verdict.findings())
        .anyMatch(one -> one.id().equals("nccl.ras") && one.proof().equals("documented"));
  }

  @Test
  void ranksThatDoNotAnswerAreMissing() {
    Logs logs =
        new Logs()
            .file("ncclras.txt", HEAD)
            .file(
                "ncclras.txt",
                "    0         1         4       7-8        32        32   RUNNING  INCOMPLETE",
                "    1         8         4         1         4        32   RUNNING      OK",
                "Errors",
                "======",
                "#0-0 (cf264af53edbe986) INCOMPLETE",
                "  Missing communicator data from 1 rank",
                "  The missing rank: 21");
    assertThat(logs.verdict().first().ranks()).containsExactly(21);
    assertThat(logs.verdict().volume().world()).isEqualTo(32);
  }

  @Test
  void theJsonFormTellsTheSame() {
    StringBuilder json =
        new StringBuilder(
            "{\"nccl_version\":\"2.29.1\",\"communicators_count\":1,\"communicators\":[{\"hash\":\"0x1\","
                + "\"size\":5,\"ranks\":[");
    for (int rank = 0; rank < 4; rank++) {
      json.append(rank == 0 ? "" : ",")
          .append(
              "{\"rank\":%d,\"collective_counts\":{\"AllReduce\":%d}}"
                  .formatted(rank, rank == 2 ? 9 : 10));
    }
    json.append("],\"missing_ranks\":[{\"rank\":4,\"host\":\"n1\"}]}]}");
    RasReport report = RasReport.of("ras.json", json.toString());
    assertThat(report.behind()).containsExactly(2);
    assertThat(report.missing()).containsExactly(4);
    assertThat(report.world()).isEqualTo(5);
  }

  /** As NCCL 2.28.9 answered on its socket, with one rank and nothing wrong. */
  @Test
  void aHealthyReportBlamesNobody() {
    Logs logs =
        new Logs()
            .file(
                "ncclras.txt",
                "NCCL version 2.28.9 compiled with CUDA 13.0",
                "Communicators... (0.000s)",
                "=============",
                "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors",
                "    #  in group  per comm  per node  per comm  in group",
                "    0         1         1         1         1         1   RUNNING      OK",
                "Errors",
                "======",
                "Warnings",
                "========")
            .file(
                "ras.json.txt",
                "OK",
                "{\"nccl_version\": \"2.28.9\", \"communicators_count\": 1, \"communicators\": [{",
                "\"size\": 1, \"ranks\": [{\"rank\": 0, \"collective_counts\": {\"AllReduce\":"
                    + " 0}}],",
                "\"missing_ranks\": []}]}");
    LogVerdict verdict = logs.verdict();
    assertThat(verdict.first().blames()).isFalse();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.volume().unreadable()).isEmpty();
  }

  @Test
  void theInspectorShowsWhoComesLast() {
    Logs logs = new Logs();
    for (int rank = 0; rank < 8; rank++) {
      for (int number = 0; number < 30; number++) {
        logs.file(
            "inspector-" + rank + ".log",
            String.format(
                Locale.ROOT,
                "{\"header\":{\"id\":\"0xab\",\"rank\":%d,\"n_ranks\":8,\"nnodes\":1},\"metadata\":"
                    + "{\"inspector_output_format_version\":\"v4.0\",\"hostname\":\"n1\"},\"coll_perf\":"
                    + "{\"coll\":\"AllReduce\",\"coll_sn\":%d,\"coll_msg_size_bytes\":1024,"
                    + "\"coll_exec_time_us\":%d}}",
                rank,
                number,
                rank == 6 ? 40 : 900));
      }
    }
    assertThat(logs.verdict().findings())
        .anyMatch(one -> one.id().equals("nccl.inspector.late") && one.ranks().equals("6"));
  }
}
