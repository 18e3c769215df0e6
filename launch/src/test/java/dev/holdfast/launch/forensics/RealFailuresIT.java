package dev.holdfast.launch.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.ErrorFile;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Forensics;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.os.process.Command;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real PyTorch ranks fail in real ways; the verdict must name the right one. */
class RealFailuresIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String SCRIPT =
      """
      import datetime, os, sys, time
      import torch, torch.distributed as dist
      from torch.distributed.elastic.multiprocessing.errors import record

      @record
      def main():
          rank = int(os.environ["RANK"])
          dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=8))
          t = torch.ones(1000)
          dist.all_reduce(t)
          if rank == 1:
              how = sys.argv[1]
              if how == "raise":
                  raise ValueError("boom")
              if how == "kill":
                  os.kill(os.getpid(), 9)
              if how == "crash":
                  import ctypes
                  ctypes.string_at(0)
              if how == "import":
                  import no_such_module
              if how == "late":
                  time.sleep(20)
          dist.all_reduce(t)

      main()
      """;

  @TempDir Path folder;

  @BeforeEach
  void torchIsThere() {
    Tools.require(
        Command.of(PYTHON, "-c", "import torch.distributed")
            .within(Duration.ofSeconds(120))
            .run()
            .succeeded(),
        "needs PyTorch (apt-get install python3-torch)");
  }

  @Test
  void anExceptionOfItsOwn() throws Exception {
    Diagnosis diagnosis = fail("raise");
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.USER_CODE);
    assertThat(diagnosis.what()).isEqualTo("Rank 1 on here: ValueError: boom");
  }

  @Test
  void aKillFromOutside() throws Exception {
    Diagnosis diagnosis = fail("kill");
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(diagnosis.rule()).isEqualTo("signal.kill");
  }

  @Test
  void aCrashInNativeCode() throws Exception {
    Diagnosis diagnosis = fail("crash");
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.rule()).isEqualTo("any.python-fatal");
    assertThat(diagnosis.node()).isEqualTo("here");
  }

  @Test
  void aMissingModule() throws Exception {
    Diagnosis diagnosis = fail("import");
    assertThat(diagnosis.ranks()).containsExactly(1);
    assertThat(diagnosis.rule()).isEqualTo("start.no-module");
  }

  @Test
  void aRankThatComesTooLate() throws Exception {
    Diagnosis diagnosis = fail("late");
    assertThat(diagnosis.ranks()).as(diagnosis.toString()).containsExactly(1);
    assertThat(diagnosis.kind()).isEqualTo(FailureClass.HANG);
  }

  private Diagnosis fail(String how) throws Exception {
    Path script = Files.writeString(folder.resolve("script.py"), SCRIPT);
    String port = String.valueOf(freePort());
    List<Process> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < 3; rank++) {
        ProcessBuilder builder = new ProcessBuilder(PYTHON, script.toString(), how);
        builder.environment().put("RANK", String.valueOf(rank));
        builder.environment().put("WORLD_SIZE", "3");
        builder.environment().put("MASTER_ADDR", "127.0.0.1");
        builder.environment().put("MASTER_PORT", port);
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().put("TORCHELASTIC_ERROR_FILE", file(rank, "error.json").toString());
        builder.redirectError(file(rank, "stderr").toFile());
        builder.redirectOutput(file(rank, "stdout").toFile());
        ranks.add(builder.start());
      }
      return Forensics.diagnose(evidence(ranks));
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }

  /** Waits for all ranks; who died first is seen within a few milliseconds. */
  private List<RankEvidence> evidence(List<Process> ranks) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(150).toNanos();
    List<RankEvidence> evidence = new ArrayList<>();
    List<Integer> open = new ArrayList<>(List.of(0, 1, 2));
    while (!open.isEmpty()) {
      assertThat(System.nanoTime()).as("ranks end").isLessThan(deadline);
      for (Integer rank : List.copyOf(open)) {
        if (ranks.get(rank).waitFor(2, TimeUnit.MILLISECONDS)) {
          open.remove(rank);
          evidence.add(evidence(rank, ranks.get(rank).exitValue()));
        }
      }
    }
    return evidence;
  }

  private RankEvidence evidence(int rank, int exit) throws IOException {
    Path error = file(rank, "error.json");
    ErrorFile told =
        Files.exists(error)
            ? ErrorFile.parse(Files.readString(error)).orElse(new ErrorFile("", 0))
            : new ErrorFile("", 0);
    boolean signal = exit > 128;
    return new RankEvidence(
        rank,
        "here",
        signal ? -1 : exit,
        signal ? exit - 128 : 0,
        false,
        System.currentTimeMillis(),
        Files.readAllLines(file(rank, "stderr")),
        told.message(),
        told.millis(),
        -1);
  }

  private Path file(int rank, String name) {
    return folder.resolve(rank + "." + name);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
