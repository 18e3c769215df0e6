package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.FailureRule.Retry;
import dev.holdfast.core.text.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureRulesTest {
  record Line(String rule, String seen, String text) {}

  static List<Line> lines() {
    return Table.read(
        FailureRulesTest.class,
        "failure-lines.tsv",
        row -> new Line(row.text("rule"), row.text("seen"), row.text("line")));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void realLinesAreRecognised(Line line) {
    RankEvidence evidence = Evidence.rank(0).lines("step 1", line.text(), "step 2").end();
    FailureRule rule = FailureRules.classify(evidence).rule();
    assertThat(rule == null ? "-" : rule.id()).as(line.seen()).isEqualTo(line.rule());
  }

  @Test
  void everyRuleHasItsOwnId() {
    Set<String> ids = new HashSet<>();
    assertThat(FailureRules.all()).allMatch(rule -> ids.add(rule.id()));
    assertThat(FailureRules.byId("gpu.ecc")).isPresent();
    assertThat(FailureRules.byId("no.such")).isEmpty();
  }

  @Test
  void mostRulesAboutTextAreProvenOnALine() {
    Set<String> proven = lines().stream().map(Line::rule).collect(Collectors.toSet());
    List<String> unproven =
        FailureRules.all().stream()
            .filter(rule -> rule.where() == FailureRule.Where.STDERR && !proven.contains(rule.id()))
            .map(FailureRule::id)
            .toList();
    assertThat(unproven)
        .containsExactlyInAnyOrder(
            "gpu.hardware-stack",
            "start.image",
            "start.ssh",
            "cuda.launch-timeout",
            "job.node-failure",
            "nccl.ib-port",
            "nccl.no-interface",
            "npu.hccp",
            "peer.store-barrier",
            "any.elsewhere",
            "limit.threads",
            "any.killed");
  }

  @Test
  void theExceptionOfATracebackIsItsLastLine() {
    FailureRules.Match match =
        FailureRules.classify(
            Evidence.rank(1)
                .exit(1)
                .lines(
                    "[rank1]: Traceback (most recent call last):",
                    "[rank1]:   File \"a.py\", line 9, in <module>",
                    "[rank1]:     raise ValueError('boom')",
                    "[rank1]: ValueError: boom",
                    "libfoo: unloading")
                .end());
    assertThat(match.line()).isEqualTo("ValueError: boom");
    assertThat(match.rule()).isEqualTo(FailureRules.byId("any.traceback").orElseThrow());
  }

  @Test
  void aCauseOfItsOwnCountsMoreThanTheConnectionsItThenLoses() {
    RankEvidence rank =
        Evidence.rank(0)
            .exit(1)
            .lines(
                "RuntimeError: [./gloo/transport/tcp/pair.cc:598] Connection closed by peer [1]:2",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.")
            .end();
    assertThat(id(rank)).isEqualTo("gpu.oom");
  }

  @Test
  void aComplaintAboutAPeerCountsMoreThanTheTracebackAroundIt() {
    RankEvidence rank =
        Evidence.rank(0)
            .exit(1)
            .lines(
                "Traceback (most recent call last):",
                "RuntimeError: [./gloo/transport/tcp/pair.cc:598] Connection closed by peer [1]:2")
            .end();
    assertThat(FailureRules.classify(rank).victim()).isTrue();
  }

  @Test
  void exitCodesAndSignalsCountWhereNothingWasSaid() {
    assertThat(id(Evidence.rank(0).exit(127).end())).isEqualTo("exit.not-found");
    assertThat(id(Evidence.rank(0).exit(126).end())).isEqualTo("exit.not-executable");
    assertThat(id(Evidence.rank(0).exit(3).end())).isEqualTo("exit.other");
    assertThat(id(Evidence.rank(0).signal(11).end())).isEqualTo("signal.segv");
    assertThat(id(Evidence.rank(0).signal(9).end())).isEqualTo("signal.kill");
    assertThat(id(Evidence.rank(0).signal(64).end())).isEqualTo("signal.other");
    assertThat(id(Evidence.rank(0).exit(0).end())).isEqualTo("-");
  }

  @Test
  void everyCodeAndSignalHasARule() {
    for (int code = 1; code < 256; code++) {
      assertThat(id(Evidence.rank(0).exit(code).end())).isNotEqualTo("-");
    }
    for (int signal = 1; signal <= 64; signal++) {
      assertThat(id(Evidence.rank(0).signal(signal).end())).isNotEqualTo("-");
    }
  }

  @Test
  void wrongArgumentsAreWorthNoRetryWhateverElseIsPrinted() {
    RankEvidence rank = Evidence.rank(0).exit(2).lines("Traceback (most recent call last):").end();
    String rule = id(rank);
    assertThat(FailureRules.byId(rule).map(FailureRule::retry)).contains(Retry.NO);
  }

  @Test
  void aTextDoesNotExplainAKillFromOutside() {
    assertThat(id(Evidence.rank(0).signal(9).lines("OSError: [Errno 116] Stale file handle").end()))
        .isEqualTo("signal.kill");
    assertThat(
            id(
                Evidence.rank(0)
                    .signal(9)
                    .lines("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.0.")
                    .end()))
        .isEqualTo("host.oom-slurm");
  }

  @Test
  void theErrorFileCountsLikeALine() {
    assertThat(id(Evidence.rank(0).exit(1).error("CUDA out of memory. Tried", 0).end()))
        .isEqualTo("gpu.oom");
    assertThat(id(Evidence.rank(0).error("my.own.Error: boom", 0).end()))
        .isEqualTo("any.error-file");
    assertThat(id(Evidence.rank(0).error("ValueError: boom", 0).end())).isEqualTo("any.exception");
  }

  @Test
  void strangeLinesAreHarmless() {
    String odd = "*".repeat(100_000) + "CANCELLED AT ".repeat(10_000);
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      many.add(odd);
    }
    assertThat(id(Evidence.rank(0).exit(1).lines(many.toArray(String[]::new)).end()))
        .isEqualTo("exit.other");
    assertThat(
            id(Evidence.rank(0).exit(1).lines("", "[", "[]:", "[rank", "[1]:", "Ü€\uD83D").end()))
        .isEqualTo("exit.other");
  }

  private static String id(RankEvidence rank) {
    FailureRule rule = FailureRules.classify(rank).rule();
    return rule == null ? "-" : rule.id();
  }
}
