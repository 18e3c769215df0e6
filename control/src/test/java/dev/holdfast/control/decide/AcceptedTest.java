package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Service;
import dev.holdfast.control.entry.Stand;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may act is a matter of the row a finding came from, once the policy says what it accepts. */
class AcceptedTest {
  private static final Optional<Proof> RECORDED = Optional.of(Proof.RECORDED);
  private static final Optional<Proof> DOCUMENTED = Optional.of(Proof.DOCUMENTED);
  private static final Optional<Proof> OLDER_AGENT = Optional.empty();

  private final ClusterState state = new ClusterState();
  private final Told node = Told.node("n1");

  private static Policy policy(Accept accept) {
    Policy enforced =
        Rules.policy(Rules.rule("broken", Rules.fatal(FaultClass.HARDWARE), Rung.DRAIN_NOW));
    return new Policy(
        enforced.name(),
        accept,
        enforced.rules(),
        enforced.guard(),
        enforced.windows(),
        enforced.silence(),
        enforced.offender(),
        enforced.offenderWindow());
  }

  /** What was decided last when the node says this, one after the other. */
  private DecisionView decided(Accept accept, Statement... said) {
    Policy policy = policy(accept);
    Decider decider = new Decider(state, policy, _ -> policy);
    Instant now = Instant.parse("2026-11-15T00:00:00Z");
    for (Statement each : said) {
      List<Report> reports = Arrays.asList(node.say(each));
      var _ = decider.decide(new Input.Reported("node/n1", reports), now);
    }
    var incident = state.openIncidents().iterator().next();
    return state.decision(incident.decisions().getLast()).orElseThrow();
  }

  private Service service() {
    return state.node("n1").orElseThrow().service();
  }

  private static Statement described() {
    return Told.described("n1", "r1", "l1");
  }

  @Test
  void aRecordedRowDrainsTheNodeWhereThePolicyAcceptsIt() {
    DecisionView made =
        decided(Accept.of(Proof.RECORDED), described(), Told.xid("n1", 3, 79, RECORDED));
    assertThat(made.stand()).isEqualTo(Stand.DONE);
    assertThat(made.made().held()).isEmpty();
    assertThat(service()).isEqualTo(Service.DRAINED);
  }

  @Test
  void withoutAcceptItIsRecommendedAsItWasBefore() {
    DecisionView made = decided(Accept.UNSAID, described(), Told.xid("n1", 3, 79, RECORDED));
    assertThat(made.stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(made.made().held())
        .isEqualTo("the row it comes from is recorded, and the policy has no 'accept'");
    assertThat(service()).isEqualTo(Service.IN);
  }

  @Test
  void whatAnOlderAgentTellsCountsByItsCheck() {
    DecisionView made =
        decided(Accept.of(Proof.RECORDED), described(), Told.xid("n1", 3, 79, OLDER_AGENT));
    assertThat(made.stand()).isEqualTo(Stand.RECOMMENDED);
    assertThat(made.made().held())
        .isEqualTo(
            "the check is written from documents only, and the policy accepts only what is recorded");
  }

  @Test
  void aCheckThatIsRecordedActsWithAndWithoutAccept() {
    assertThat(decided(Accept.UNSAID, described(), Told.lostGpu("n1", 3)).stand())
        .isEqualTo(Stand.DONE);
  }

  @Test
  void aRowFromDocumentsActsOnlyForWhoWantsIt() {
    assertThat(decided(Accept.of(Proof.RECORDED), described(), Told.xid("n1", 3, 95, DOCUMENTED)))
        .satisfies(it -> assertThat(it.stand()).isEqualTo(Stand.RECOMMENDED))
        .satisfies(it -> assertThat(it.made().held()).contains("written from documents only"));
  }

  @Test
  void whoAcceptsDocumentsLetsThemAct() {
    assertThat(
            decided(Accept.of(Proof.DOCUMENTED), described(), Told.xid("n1", 3, 95, DOCUMENTED))
                .stand())
        .isEqualTo(Stand.DONE);
  }

  @Test
  void aFindingThatIsProvenActsThoughOneThatIsNotCameFirst() {
    DecisionView made =
        decided(
            Accept.of(Proof.RECORDED),
            described(),
            Told.xid("n1", 3, 95, DOCUMENTED),
            Told.xid("n1", 3, 79, RECORDED));
    assertThat(made.stand()).isEqualTo(Stand.DONE);
    assertThat(service()).isEqualTo(Service.DRAINED);
  }
}
