package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.forensics.Investigation;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a person pastes behind {@code explain}. */
class ExplainCommandTest {
  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  private String explained(String... words) {
    String[] arguments = new String[words.length + 1];
    arguments[0] = "explain";
    System.arraycopy(words, 0, arguments, 1, words.length);
    TestConsole fresh = new TestConsole();
    assertThat(fresh.run(arguments)).as(fresh.err()).isZero();
    return fresh.out();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 08 (0x025525c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)|Xid 149 of 0018:01:00.0|reset the GPU|link 8",
        "NVRM: Xid (PCI:0000:04:00): 145, RLW_CTRL Nonfatal XC0 i0 Link 01 (0x00000003 0x80000000 0x0 0x0)|Xid 145 of 0000:04:00.0|nothing to do|link 1",
        "Jan 14 22:15:17 n40 kernel: [2437042.862382] NVRM: Xid (PCI:0000:85:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)|Xid 154 of 0000:85:00.0|reboot the node|Node Reboot Required",
        "[ 1738.392321] NVRM: Xid (0000:06:00): 56, CMDre 00000000 0000089c|Xid 56 of 0000:06:00.0|contact support|CONTACT_SUPPORT",
        "<3>[1.000000] nvidia-nvswitch3: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 30 LTSSM Fault Up|SXid 20034 of 0000:c2:00.0|reset the GPU|link 30",
        "NVRM: GPU at 0000:02:00.0 has fallen off the bus.|gpu.fell-off-bus of 0000:02:00.0|reboot the node|lost-gpu",
        "Memory cgroup out of memory: Kill process 13537 (hog) score 1000 or sacrifice child|oom.cgroup|look for the fault in the job|host-out-of-memory",
      })
  void aLineOfAKernelIsDecodedAsDoctorDoes(String line, String title, String now, String part) {
    assertThat(explained(line)).startsWith(title).contains(now, part).doesNotContain("done here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-9|exit -9  ended by signal 9 (SIGKILL)",
        "exit 143|SIGTERM",
        "exit code 137|SIGKILL",
        "SIGBUS|signal 7  SIGBUS",
        "status=12|IBV_WC_RETRY_EXC_ERR",
        "IBV_WC_RETRY_EXC_ERR|status 12",
        "ENOSPC|errno 28",
        "20034|SXid 20034",
        "ROBUST_CHANNEL_GPU_HAS_FALLEN_OFF_THE_BUS|Xid 79",
        "some agent: Xid 79 on GPU 3|Xid 79",
        "run: HF-1102 the archive is cut|HF-1102",
        "exitcode  : -9 (pid: 3311)|SIGKILL",
        "gpu.fell-off-bus|GPU fell off the bus",
        "nccl Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7|hang",
      })
  void aCodeOrANameIsOneAnswer(String words, String part) {
    assertThat(explained(words)).contains(part);
  }

  @Test
  void aNumberAsksWhichTable() {
    assertThat(explained("79"))
        .contains("xid 79", "GPU fell off the bus", "exit 79", "holdfast explain xid 79")
        .doesNotContain("sxid");
    assertThat(explained("12").lines())
        .anyMatch(line -> line.contains("signal 12") && line.contains("SIGUSR2"))
        .anyMatch(line -> line.contains("status 12") && line.contains("IBV_WC_RETRY_EXC_ERR"))
        .anyMatch(line -> line.contains("errno 12") && line.contains("ENOMEM"))
        .hasSizeLessThan(9);
  }

  @Test
  void aCompletionSaysItsStatusFirst() {
    String out =
        explained(
            "n2:41:90 [6] NCCL WARN NET/IB : Got completion from peer 10.1.2.3<48> with status=12"
                + " opcode=1 len=0 vendor err 129 (Send)");
    assertThat(out).startsWith("status 12").contains("nccl-error");
    assertThat(explained("NET/IB : Got completion from peer 10.1.2.3<48> with error 4, opcode 0"))
        .contains("status 4", "local protection error");
  }

  @Test
  void aTracebackIsToldByItsCauseAndItsLine() {
    String out =
        explained(
            "[rank3]: Traceback (most recent call last):",
            "[rank3]:   File \"/x/train.py\", line 9, in <module>",
            "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB");
    assertThat(out).startsWith("gpu-out-of-memory").contains("CUDA out of memory. Tried");
  }

  @Test
  void ofManyThingsAFewAreTold() {
    List<String> lines = new ArrayList<>();
    for (int gpu = 1; gpu < 7; gpu++) {
      lines.add("NVRM: Xid (PCI:0000:0%d:00): 79, GPU has fallen off the bus.".formatted(gpu));
    }
    assertThat(console.run("explain", String.join("\n", lines))).isZero();
    assertThat(console.out().lines().filter(line -> line.startsWith("Xid 79"))).hasSize(3);
    assertThat(console.err()).contains("3 more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello world",
        "iteration 79 of 200",
        "loss 1.79 at step 79",
        "{}",
        "ok",
        "--lits"
      })
  void aTextNothingIsKnownOfSaysSo(String text) {
    assertThat(console.run("explain", text)).isEqualTo(2);
    assertThat(console.err()).contains("HF-1004", "nothing is known of");
  }

  @Test
  void aLongHostileTextIsAnsweredAtOnce() {
    for (String piece :
        List.of("exit code ", "xid ", "(", "CQE status ", "a.b ", "\u001b[", "NVRM: Xid (")) {
      String text = piece + " ".repeat(100_000) + piece.repeat(20_000);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> new TestConsole().run("explain", text));
    }
  }

  @Test
  void whatComesNearIsNamed() {
    assertThat(console.run("explain", "Row remapper")).isEqualTo(2);
    assertThat(console.err()).contains("near it", "xid 63");
    TestConsole mistyped = new TestConsole();
    assertThat(mistyped.run("explain", "SIGBSU")).isEqualTo(2);
    assertThat(mistyped.err()).contains("did you mean 'SIGBUS'");
  }

  /** Each proven line of a rank has one class, whoever is asked: run, diagnose, explain. */
  @Test
  void aLineHasOneClassEverywhere() throws IOException {
    Path proven =
        Golden.root()
            .resolve("core/src/test/resources/dev/holdfast/core/forensics/failure-lines.tsv");
    List<String> differing = new ArrayList<>();
    for (String row : Files.readAllLines(proven)) {
      String[] cells = row.split("\t", -1);
      if (row.startsWith("#") || cells.length < 3 || cells[0].matches("rule|-")) {
        continue;
      }
      String line = cells[2];
      RankEvidence evidence = new RankEvidence(0, "", 1, 0, false, 0, List.of(line), "", 0, -1);
      String inRun = Objects.requireNonNull(FailureRules.classify(evidence).rule()).kind().word();
      Path log = Files.writeString(folder.resolve("rank0.log"), line + "\n");
      String diagnosed = Investigation.of(log, 0).conclusions().getFirst().kind();
      String out = explained(line);
      boolean same =
          out.startsWith(inRun + " ")
              || out.contains("\n" + inRun + " ")
              || out.contains("in a run    " + inRun);
      if (!same || !diagnosed.equals(inRun)) {
        differing.add(
            "%s: run %s, diagnose %s, explain %s"
                .formatted(cells[0], inRun, diagnosed, out.lines().findFirst().orElse("")));
      }
    }
    assertThat(differing).isEmpty();
  }
}
