package dev.holdfast.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** One bad policy for each thing that can be wrong with one. */
class PolicyLintTest {
  private static final List<KnownCheck> CHECKS =
      List.of(
          new KnownCheck("gpu.count", FaultClass.HARDWARE, Proof.HARDWARE),
          new KnownCheck("gpu.ecc.uncorrected", FaultClass.HARDWARE, Proof.RECORDED),
          new KnownCheck("gpu.ecc.rate", FaultClass.HARDWARE, Proof.DOCUMENTED),
          new KnownCheck(
              "gpu.codes",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED,
              List.of(
                  new KnownRow("Xid 1", Severity.FATAL, Proof.RECORDED),
                  new KnownRow("Xid 2", Severity.FATAL, Proof.DOCUMENTED),
                  new KnownRow("Xid 3", Severity.DEGRADED, Proof.RECORDED))),
          new KnownCheck("nic.link", FaultClass.NETWORK, Proof.DOCUMENTED),
          new KnownCheck("storage.space", FaultClass.STORAGE, Proof.HARDWARE),
          new KnownCheck("system.limits", FaultClass.CONFIGURATION, Proof.HARDWARE),
          new KnownCheck("kernel.oops", FaultClass.SOFTWARE, Proof.RECORDED),
          new KnownCheck("kernel.storm", FaultClass.UNKNOWN, Proof.HARDWARE));

  private static final String AGAIN =
      """
      - {id: again, when: {severity: fatal, class: [hardware, network, storage, configuration, software], \
      repeated: {times: 3, within: 7d, of: node}}, then: replace, reason: hands}
      """;

  private static final String REST =
      """
      - {id: rest, when: {severity: fatal}, then: watch, reason: whatever else}
      """;

  private static List<Problem> lint(String head, String... rules) {
    String text =
        "schema: holdfast.policy/1\nname: test\n" + head + "rules:\n" + String.join("", rules);
    return PolicyLint.check(PolicyYaml.read("t.yaml", text), CHECKS, OptionalInt.empty());
  }

  private static void requireOnly(List<Problem> problems, String kind, String rule, String words) {
    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().kind()).isEqualTo(kind);
    assertThat(problems.getFirst().rule()).isEqualTo(rule);
    assertThat(problems.getFirst().what()).contains(words);
  }

  @Test
  void aSoundPolicyHasNoProblems() {
    assertThat(
            lint(
                "",
                AGAIN,
                "- {id: broken, when: {class: hardware, severity: fatal}, then: drain-now, reason: x}\n",
                REST))
        .isEmpty();
  }

  @Test
  void everyFatalClassNeedsARule() {
    List<Problem> problems =
        lint(
            "",
            AGAIN,
            "- {id: some, when: {class: [hardware, network], severity: fatal}, then: drain-now, reason: x}\n");
    assertThat(problems).extracting(Problem::kind).containsOnly("coverage");
    assertThat(problems)
        .extracting(Problem::what)
        .hasSize(FaultClass.values().length - 2)
        .anyMatch(it -> it.contains("fatal storage finding"));
  }

  @Test
  void aRuleForBusyNodesDoesNotCoverIdleOnes() {
    List<Problem> problems =
        lint("", "- {id: busy, when: {severity: fatal, job: running}, then: watch, reason: x}\n");
    assertThat(problems).hasSize(FaultClass.values().length);
    assertThat(problems).allMatch(it -> it.what().contains("on idle nodes"));
  }

  @Test
  void aRuleThatWaitsForRepetitionOrNamesChecksCoversNoClass() {
    assertThat(
            lint(
                "",
                "- {id: often, when: {severity: fatal, repeated: {times: 2, within: 1h}}, then: watch, reason: x}\n",
                "- {id: named, when: {severity: fatal, checks: [gpu.*]}, then: watch, reason: x}\n"))
        .extracting(Problem::kind)
        .containsOnly("coverage")
        .hasSize(FaultClass.values().length);
  }

  @Test
  void aNodeIsNotTakenOutForChecksNobodyCanRunAgain() {
    requireOnly(
        lint(
            "",
            AGAIN,
            "- {id: outside, when: {checks: [site.cooling], severity: fatal}, then: drain-now, coolDown: 1h, reason: x}\n",
            REST),
        "exit",
        "outside",
        "site.cooling");
  }

  @Test
  void aNodeIsNotTakenOutForAClassWithoutChecks() {
    requireOnly(
        lint(
            "",
            "- {id: nan, when: {class: numerics, severity: fatal}, then: drain-after-job, coolDown: 1h, reason: x}\n",
            REST),
        "exit",
        "nan",
        "numerics");
  }

  @Test
  void aRuleBehindAWiderOneIsNeverReached() {
    requireOnly(
        lint(
            "",
            REST,
            "- {id: late, when: {checks: [gpu.count], severity: fatal}, then: note, reason: x}\n"),
        "unreached",
        "late",
        "rest");
  }

  @Test
  void severalRulesTogetherCanTakeAllOfALaterOne() {
    requireOnly(
        lint(
            "",
            "- {id: idle, when: {class: storage, severity: degraded, job: idle}, then: note, reason: x}\n",
            "- {id: busy, when: {class: storage, severity: warning, job: running}, then: note, reason: x}\n",
            "- {id: late, when: {class: storage, severity: degraded}, then: watch, reason: x}\n",
            REST),
        "unreached",
        "late",
        "busy, idle");
  }

  @Test
  void aMilderRepetitionBeforeTakesAStricterOneButNotTheOtherWayRound() {
    String twice =
        "- {id: twice, when: {severity: fatal, repeated: {times: 2, within: 2d}}, then: watch, reason: x}\n";
    String thrice =
        "- {id: thrice, when: {severity: fatal, repeated: {times: 3, within: 1d}}, then: watch, reason: x}\n";
    requireOnly(lint("", twice, thrice, REST), "unreached", "thrice", "twice");
    assertThat(lint("", thrice, twice, REST)).isEmpty();
  }

  @Test
  void aCheckOfAnotherClassNeverFits() {
    requireOnly(
        lint(
            "",
            "- {id: odd, when: {checks: [gpu.count], class: network, severity: fatal}, then: note, reason: x}\n",
            REST),
        "unreached",
        "odd",
        "gpu.count is of class hardware");
  }

  @Test
  void aSharedCauseIsNeverADrain() {
    requireOnly(
        lint(
            "",
            AGAIN,
            "- {id: leaf, when: {cause: leaf, class: network, severity: fatal}, then: drain-now, coolDown: 1h, reason: x}\n",
            REST),
        "unreached",
        "leaf",
        "many nodes share");
  }

  @Test
  void aResetThatIsRepeatedForEverIsALoop() {
    requireOnly(
        lint(
            "",
            "- {id: reset, when: {checks: [gpu.count], severity: fatal}, then: reset-device, reason: x}\n",
            REST),
        "loop",
        "reset",
        "coolDown of 10m");
    requireOnly(
        lint(
            "",
            "- {id: reset, when: {checks: [gpu.count], severity: fatal}, then: reset-device, coolDown: 5m, reason: x}\n",
            REST),
        "loop",
        "reset",
        "for ever");
    assertThat(
            lint(
                "",
                "- {id: reset, when: {checks: [gpu.count], severity: fatal}, then: reset-device, coolDown: 1h, reason: x}\n",
                REST))
        .isEmpty();
  }

  @Test
  void anEscalationMustReachAsFarAsTheRuleItEscalates() {
    requireOnly(
        lint(
            "",
            "- {id: again, when: {severity: fatal, class: hardware, repeated: {times: 3, within: 7d}}, then: replace, reason: x}\n",
            "- {id: drain, when: {class: [hardware, network], severity: fatal}, then: drain-now, reason: x}\n",
            REST),
        "loop",
        "drain",
        "for ever");
  }

  @Test
  void aResetDoesNotChangeASetting() {
    requireOnly(
        lint(
            "",
            "- {id: reset, when: {class: configuration, severity: fatal}, then: reset-device, coolDown: 1h, reason: x}\n",
            REST),
        "loop",
        "reset",
        "configuration");
  }

  @Test
  void anEnforcedResetIsBoundedByItsCoolDownAlone() {
    requireOnly(
        lint(
            "",
            AGAIN,
            "- {id: reset, when: {checks: [gpu.count], severity: fatal}, then: reset-device, enforce: true, reason: x}\n",
            REST),
        "budget",
        "reset",
        "not counted by the guard");
  }

  @Test
  void whatRestsOnDocumentsIsNotEnforced() {
    requireOnly(
        lint(
            "",
            AGAIN,
            "- {id: link, when: {checks: [nic.link], severity: fatal}, then: drain-now, enforce: true, reason: x}\n",
            REST),
        "proof",
        "link",
        "nic.link is not proven as far as is accepted");
  }

  private static final String CODES =
      "- {id: codes, when: {checks: [gpu.codes], severity: fatal}, then: drain-now, coolDown: 1h, enforce: true, reason: x}\n";

  @Test
  void aTableActsOnlyWhereItsRowsAreAccepted() {
    assertThat(lint("accept: recorded\n", AGAIN, CODES, REST)).isEmpty();
    requireOnly(
        lint("", AGAIN, CODES, REST),
        "proof",
        "codes",
        "'accept: recorded' would let rows of its table act: 1");
    requireOnly(
        lint("accept: hardware\n", AGAIN, CODES, REST), "proof", "codes", "put it into a rule");
  }

  @Test
  void whatEachRuleMayActOnIsToldWithWhatTheOthersLack() {
    String text =
        "schema: holdfast.policy/1\nname: test\naccept: recorded\nrules:\n"
            + CODES
            + "- {id: later, when: {class: hardware, severity: degraded}, then: drain-now, enforce: true, reason: x}\n";
    List<Power> powers = Power.of(PolicyYaml.read("t.yaml", text), CHECKS);
    assertThat(powers.getFirst().acting())
        .singleElement()
        .satisfies(it -> assertThat(it.rows()).extracting(KnownRow::name).containsExactly("Xid 1"));
    assertThat(powers.getFirst().recommending()).containsOnlyKeys("from documents only");
    assertThat(powers.getLast().acting())
        .extracting(KnownCheck::id)
        .as("the fatal rows came to their turn before")
        .containsExactly("gpu.count", "gpu.ecc.uncorrected", "gpu.codes");
    assertThat(powers.getLast().acting().getLast().rows())
        .extracting(KnownRow::name)
        .containsExactly("Xid 3");
  }

  @Test
  void aGroupOfWhichSomeMayActIsOnlyAWarning() {
    List<Problem> problems =
        lint(
            "",
            AGAIN,
            "- {id: ecc, when: {checks: [gpu.ecc.*], severity: fatal}, then: drain-now, coolDown: 1h, enforce: true, reason: x}\n",
            REST);
    requireOnly(problems, "proof", "ecc", "gpu.ecc.rate is");
    assertThat(problems.getFirst().level()).isEqualTo(Problem.Level.WARNING);
  }

  @Test
  void aMisspeltCheckIsToldWithTheNearest() {
    requireOnly(
        lint(
            "",
            "- {id: typo, when: {checks: [gpu.cuont], severity: fatal}, then: watch, reason: x}\n",
            REST),
        "unknown",
        "typo",
        "did you mean 'gpu.count'");
  }

  @Test
  void boundsMustBound() {
    assertThat(
            lint(
                "guard: {share: 60%, nodes: 4, burst: 8, perRack: 5, perJob: 6, window: 10s}\n",
                REST))
        .extracting(Problem::what)
        .hasSize(5)
        .anyMatch(it -> it.contains("more than half"))
        .anyMatch(it -> it.contains("burst (8) is above nodes (4)"));
    assertThat(lint("silence: 2s\noffender: {times: 1}\n", REST))
        .extracting(Problem::kind)
        .containsExactly("budget", "budget");
  }

  @Test
  void boundsAreHeldAgainstTheSizeOfTheCluster() {
    Policy policy = PolicyYaml.read("t", "schema: holdfast.policy/1\nname: t\nrules:\n" + REST);
    assertThat(PolicyLint.check(policy, CHECKS, OptionalInt.of(1000))).isEmpty();
    assertThat(PolicyLint.check(policy, CHECKS, OptionalInt.of(6)))
        .extracting(Problem::what)
        .containsExactly("guard: burst (8) is no limit for 6 nodes");
    assertThat(PolicyLint.check(policy, CHECKS, OptionalInt.of(100)))
        .extracting(Problem::level)
        .containsExactly(Problem.Level.WARNING);
  }
}
