package dev.holdfast.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyYamlTest {
  private static final String WHOLE =
      """
      schema: holdfast.policy/1
      name: ours
      silence: 1m30s
      offender: {times: 4, within: 14d}
      guard:
        share: 10%
        nodes: 20
        perRack: 3
        perJob: 1
        burst: 5
        window: 5m
      maintenance:
        - nodes: gpu[01-08]
          from: 2026-12-01T08:00:00Z
          until: 2026-12-01T12:00:00Z
          why: new cables
      rules:
        - id: flapping
          when:
            checks: [nic.link.state, nic.errors.*]
            class: [network, hardware]
            severity: warning
            repeated: {times: 3, within: 24h, of: node}
            cause: nic
            job: running
          then: drain-at-checkpoint
          enforce: true
          approval: true
          coolDown: 20m
          settle: 30s
          reason: "it: stalls"
        - id: rest
          when: {severity: fatal}
          then: note
          reason: for people
      """;

  private static Policy read(String text) {
    return PolicyYaml.read("p.yaml", text);
  }

  @Test
  void everyKeyIsRead() {
    Policy policy = read(WHOLE);

    assertThat(policy.name()).isEqualTo("ours");
    assertThat(policy.silence()).isEqualTo(Duration.ofSeconds(90));
    assertThat(policy.offender()).isEqualTo(4);
    assertThat(policy.offenderWindow()).isEqualTo(Duration.ofDays(14));
    assertThat(policy.guard()).isEqualTo(new Guard(0.1, 20, 3, 1, 5, Duration.ofMinutes(5)));
    assertThat(policy.maintenance("gpu03", Instant.parse("2026-12-01T09:00:00Z"))).isPresent();
    assertThat(policy.maintenance("gpu09", Instant.parse("2026-12-01T09:00:00Z"))).isEmpty();
    assertThat(policy.rules().getFirst())
        .isEqualTo(
            new Rule(
                "flapping",
                new When(
                    List.of("nic.link.state", "nic.errors.*"),
                    Set.of(FaultClass.NETWORK, FaultClass.HARDWARE),
                    Severity.WARNING,
                    Optional.of(new When.Repeated(3, Duration.ofHours(24), true)),
                    Set.of("nic"),
                    When.JobState.RUNNING),
                Rung.DRAIN_AT_CHECKPOINT,
                true,
                true,
                Duration.ofMinutes(20),
                Duration.ofSeconds(30),
                "it: stalls"));
  }

  @Test
  void aRuleRecommendsUnlessItSaysOtherwise() {
    Rule rule = read(WHOLE).rules().getLast();
    assertThat(rule.enforce()).isFalse();
    assertThat(rule.approval()).isFalse();
    assertThat(rule.coolDown()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "severity: warning; severty: warning; p.yaml:22; did you mean 'severity'",
        "then: drain-at-checkpoint; then: drain-nwo; p.yaml:26; did you mean 'drain-now'",
        "coolDown: 20m; coolDown: 20 monkeys; p.yaml:29; not a duration",
        "share: 10%; share: 0; p.yaml:5; allows nothing or everything",
        "share: 10%; share: ten%; p.yaml:6; such as 5%",
        "times: 3,; times: 1,; p.yaml:23; at least 2 times",
        "id: rest; id: flapping; p.yaml:32; two rules are called 'flapping'",
        "id: rest; id: The Rest; p.yaml:32; small letters",
        "reason: for people; enforce: false; p.yaml:32; 'reason' is missing",
        "until: 2026-12-01T12:00:00Z; until: 2026-11-01T12:00:00Z; p.yaml:13; ends before",
        "until: 2026-12-01T12:00:00Z; until: tomorrow; p.yaml:15; not a time",
        "gpu[01-08]; gpu[01-; p.yaml:13; maintenance",
        "nic.errors.*; nic.*.rate; p.yaml:20; at the end only",
        "class: [network; class: [netwrok; p.yaml:21; did you mean 'network'",
        "of: node; of: rack; p.yaml:23; part, node",
        "name: ours; nam: ours; p.yaml:2; did you mean 'name'",
        "policy/1; policy/2; p.yaml:1; expected holdfast.policy/1",
        "enforce: true; enforce: yes; p.yaml:27; true or false",
      })
  void aMistakeIsToldWithItsLine(String right, String wrong, String place, String words) {
    assertThat(WHOLE).contains(right);
    assertThatThrownBy(() -> read(WHOLE.replace(right, wrong)))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining(place)
        .hasMessageContaining(words);
  }

  @Test
  void whatMayActIsSaidByAWordOrNotAtAll() {
    assertThat(read(WHOLE).accept()).isEqualTo(Accept.UNSAID);
    String said = WHOLE.replace("name: ours", "accept: recorded\nname: ours");
    assertThat(read(said).accept()).isEqualTo(Accept.of(Proof.RECORDED));
    assertThatThrownBy(() -> read(said.replace("accept: recorded", "accept: record")))
        .hasMessageContaining("p.yaml:2")
        .hasMessageContaining("did you mean 'recorded'");
  }

  @Test
  void whatIsWrittenReadsBackTheSame() {
    assertThat(read(PolicyText.of(read(WHOLE)))).isEqualTo(read(WHOLE));
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      Policy policy = any(random);
      String text = PolicyText.of(policy);
      assertThat(read(text)).as(text).isEqualTo(policy);
    }
  }

  private static Policy any(Random random) {
    List<Rule> rules = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      rules.add(rule(random, i));
    }
    Instant from = Instant.ofEpochMilli(random.nextLong(2_000_000_000_000L));
    return new Policy(
        text(random),
        random.nextBoolean() ? Accept.UNSAID : Accept.of(Proof.values()[random.nextInt(3)]),
        rules,
        new Guard(
            (1 + random.nextInt(100)) / 100.0,
            1 + random.nextInt(50),
            1 + random.nextInt(5),
            1 + random.nextInt(5),
            1 + random.nextInt(50),
            time(random)),
        random.nextBoolean()
            ? List.of()
            : List.of(new Window(from, from.plusMillis(1), "n[1-3]", text(random))),
        time(random),
        random.nextInt(10),
        time(random));
  }

  private static Rule rule(Random random, int number) {
    Set<FaultClass> classes = new TreeSet<>();
    for (FaultClass each : FaultClass.values()) {
      if (random.nextInt(4) == 0) {
        classes.add(each);
      }
    }
    return new Rule(
        "rule-" + number,
        new When(
            random.nextBoolean() ? List.of() : List.of("gpu.count", "nic.*"),
            classes,
            Severity.values()[random.nextInt(4)],
            random.nextBoolean()
                ? Optional.empty()
                : Optional.of(
                    new When.Repeated(2 + random.nextInt(5), time(random), random.nextBoolean())),
            random.nextBoolean() ? Set.of() : Set.of("gpu", "leaf"),
            When.JobState.values()[random.nextInt(3)]),
        Rung.values()[random.nextInt(Rung.values().length)],
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean() ? Duration.ZERO : time(random),
        random.nextBoolean() ? Duration.ZERO : time(random),
        text(random));
  }

  private static Duration time(Random random) {
    return Duration.ofMillis(1 + random.nextLong(Duration.ofDays(40).toMillis()));
  }

  private static String text(Random random) {
    List<String> texts =
        List.of("plain", "with: colon", "\"quoted\" # no", "- dash", "ünïcode\nline", "yes");
    return texts.get(random.nextInt(texts.size()));
  }
}
