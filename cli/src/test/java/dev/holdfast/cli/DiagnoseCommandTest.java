package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of dumps as a person meets them. */
class DiagnoseCommandTest {
  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  /** Ranks 0 to 3; each has done this many collectives of one group and waits in the last. */
  private void dump(int rank, int calls, boolean waits, String call) throws IOException {
    StringBuilder entries = new StringBuilder();
    for (int i = 1; i <= calls; i++) {
      boolean last = waits && i == calls;
      entries
          .append(i == 1 ? "" : ",")
          .append(
              """
              {"record_id":%d,"pg_id":0,"process_group":["0","default_pg"],"collective_seq_id":%d,
               "profiling_name":"nccl:%s","input_sizes":[[8]],"input_dtypes":["Float"],
               "time_created_ns":%d,"state":"%s"}"""
                  .formatted(
                      i,
                      i,
                      last ? call : "all_reduce",
                      1_700_000_000_000_000_000L + i,
                      last ? "scheduled" : "completed"));
    }
    Files.writeString(
        folder.resolve("nccl_trace_rank_" + rank),
        """
        {"version":"2.4","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[0, 1, 2, 3]"}},
         "entries":[%s]}"""
            .formatted(entries));
  }

  @Test
  void whoDidNotComeIsNamed() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      dump(rank, rank == 2 ? 5 : 6, rank != 2, "all_reduce");
    }
    Files.writeString(folder.resolve("notes.txt"), "not a dump");
    assertThat(console.run("diagnose", folder.toString())).as(console.err()).isEqualTo(1);
    assertThat(console.out())
        .contains("4 ranks, 4 dumps of version 2.4")
        .contains("rank 2  hang, confidence 90 %")
        .contains("rank 2 is missing from collective 6 of default_pg (0), where ranks 0-1,3 wait");
  }

  @Test
  void whoCalledSomethingElseIsNamedInJson() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      dump(rank, 6, true, rank == 1 ? "broadcast" : "all_reduce");
    }
    assertThat(console.run("diagnose", folder.toString(), "--job", "slurm-7", "--format", "json"))
        .isEqualTo(1);
    Fields answer = Fields.of("answer", Json.object(console.out()));
    assertThat(answer.text("schema")).isEqualTo("holdfast.diagnosis/1");
    Fields best = answer.objects("hypotheses").getFirst();
    assertThat(best.texts("culprits")).containsExactly("job/slurm-7/rank/1");
    assertThat(best.text("class")).isEqualTo("mismatch");
  }

  @Test
  void theOneWithoutADumpIsSuspected() throws IOException {
    for (int rank = 0; rank < 3; rank++) {
      dump(rank, 6, true, "all_reduce");
    }
    Files.write(folder.resolve("nccl_trace_rank_3"), new byte[0]);
    assertThat(console.run("diagnose", folder.toString())).isEqualTo(1);
    assertThat(console.out()).contains("rank 3  crash").contains("not read: nccl_trace_rank_3");
  }

  @Test
  void whatCannotBeToldIsSaidWithWhatIsMissing() throws IOException {
    for (int rank = 0; rank < 4; rank++) {
      dump(rank, 6, true, "all_reduce");
    }
    assertThat(console.run("diagnose", folder.toString())).isZero();
    assertThat(console.out())
        .contains("cannot tell which rank  unknown")
        .contains("TORCH_NCCL_ENABLE_TIMING=1");
  }

  @Test
  void aFolderWithoutDumpsIsAnError() throws IOException {
    assertThat(console.run("diagnose", folder.toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1801");
    Files.writeString(folder.resolve("rank_0"), "garbage");
    TestConsole again = new TestConsole();
    assertThat(again.run("diagnose", folder.toString())).isEqualTo(2);
    assertThat(again.err()).contains("HF-1801").contains("rank_0");
    TestConsole nowhere = new TestConsole();
    assertThat(nowhere.run("diagnose", folder.resolve("no").toString())).isEqualTo(2);
    assertThat(nowhere.err()).contains("HF-1005").contains("no such file");
  }

  @Test
  void theScoreTableIsPrinted() {
    assertThat(console.run("bench", "forensics", "--cases", "22", "--seed", "3")).isZero();
    assertThat(console.out()).contains("skipped-call").containsPattern("all +22 ");
  }
}
