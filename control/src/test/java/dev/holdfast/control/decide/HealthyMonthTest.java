package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.RuleEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Lemons;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * A month of a cluster in which nothing is broken, with every rule of the default policy enforced:
 * warnings, links that go and come back, reboots, agents that start again, silence, clocks that go
 * wrong, batches that come twice. No node may be taken out. The same month with one broken GPU must
 * take out exactly that node, or the tape would prove nothing.
 */
class HealthyMonthTest {
  private static final int NODES = Integer.getInteger("holdfast.month.nodes", 128);
  private static final int DAYS = 30;
  private static final int GROUP = 32;
  private static final Instant BEGIN = Instant.parse("2026-10-01T00:00:00Z");
  private static final Duration TICK = Duration.ofMinutes(1);

  /** A healthy link may go and come back, but not three times in an hour. */
  private static final Duration BETWEEN_FLAPS = Duration.ofHours(2);

  private final ClusterState state = new ClusterState();
  private final Policy policy = enforced(DefaultPolicy.policy());
  private final Decider decider = new Decider(state, policy, _ -> policy);
  private final Random random = new Random(20261001);
  private final Map<String, Agent> agents = new HashMap<>();
  private final TreeMap<Instant, List<Runnable>> later = new TreeMap<>();
  private final Map<String, Instant> lastFlap = new HashMap<>();
  private final Map<String, Integer> told = new TreeMap<>();
  private final List<String> out = new ArrayList<>();
  private Instant now = BEGIN;

  private static Policy enforced(Policy policy) {
    return policy.withRules(policy.rules().stream().map((Rule it) -> it.enforced(true)).toList());
  }

  /** A source with an epoch, a clock of its own, and what holds, which it says again on restart. */
  private final class Agent {
    private final String source;
    private final Duration skew;
    private final Map<String, Statement> holding = new HashMap<>();
    private long epoch = 1;
    private long sequence;
    private List<Report> last = List.of();

    Agent(String source, Duration skew) {
      this.source = source;
      this.skew = skew;
    }

    void say(Statement... statements) {
      List<Report> batch = new ArrayList<>();
      for (Statement statement : statements) {
        batch.add(new Report(source, epoch, ++sequence, now.plus(skew), statement));
      }
      last = batch;
      send(batch);
      if (random.nextInt(10) == 0) {
        send(batch); // the answer got lost, so it comes again
      }
    }

    private void send(List<Report> batch) {
      note(decider.decide(new Input.Reported(source, batch), now).entries());
    }

    void restart(Statement described) {
      epoch++;
      sequence = 0;
      List<Statement> all = new ArrayList<>(List.of(described));
      all.addAll(holding.values());
      say(all.toArray(Statement[]::new));
      send(last);
    }

    void holds(String check, Subject subject, Severity severity, FaultClass of, Duration time) {
      Statement raised = Told.raised(check, subject, Finding.Kind.CONDITION, severity, of);
      holding.put(check, raised);
      say(raised);
      at(
          now.plus(time),
          () -> {
            holding.remove(check);
            say(new Statement.Cleared(check, subject, "gone again"));
          });
    }
  }

  private Agent agent(String node) {
    return Objects.requireNonNull(agents.get(node));
  }

  private void note(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry instanceof NodeEntry.Moved moved && !moved.to().takesJobs()) {
        out.add(moved.node() + " " + moved.to().word() + " at " + now + ": " + moved.why());
      }
    }
  }

  private void at(Instant time, Runnable what) {
    later.computeIfAbsent(time, _ -> new ArrayList<>()).add(what);
  }

  private Statement described(int node) {
    return Told.described("n" + node, "r" + node / 8, "l" + node / 16);
  }

  private void begin() {
    for (int i = 0; i < NODES; i++) {
      // One clock in twenty is wrong by up to two days.
      Duration skew =
          random.nextInt(20) == 0
              ? Duration.ofMinutes(random.nextInt(5760) - 2880)
              : Duration.ofMillis(random.nextInt(200));
      Agent agent = new Agent("node/n" + i, skew);
      agents.put("n" + i, agent);
      agent.say(described(i));
    }
    for (int i = 0; i + GROUP <= NODES * 3 / 4; i += GROUP) {
      job(i);
    }
  }

  private void job(int first) {
    String name = "job" + first + "-" + now.getEpochSecond();
    Agent launcher = new Agent("run/" + name, Duration.ZERO);
    String[] nodes = new String[GROUP];
    Arrays.setAll(nodes, it -> "n" + (first + it));
    Instant end = now.plus(Duration.ofHours(6 + random.nextInt(60)));
    progress(launcher, name, nodes, end, first);
  }

  private void progress(Agent launcher, String name, String[] nodes, Instant end, int first) {
    if (now.isBefore(end)) {
      launcher.say(Told.job(name, now, nodes));
      at(now.plus(Duration.ofMinutes(30)), () -> progress(launcher, name, nodes, end, first));
    } else {
      launcher.say(Told.job(name, JobDescription.State.FINISHED, now, nodes));
      at(now.plus(Duration.ofMinutes(10)), () -> job(first));
    }
  }

  /** Something harmless happens to a node. */
  private void noise(int number) {
    String name = "n" + number;
    Agent agent = agent(name);
    Subject.Node node = new Subject.Node(name);
    int gpu = random.nextInt(8);
    String kind;
    switch (random.nextInt(9)) {
      case 0 -> {
        kind = "warning";
        agent.holds(
            "system.load", node, Severity.WARNING, FaultClass.CONFIGURATION, minutes(1, 600));
      }
      case 1 -> {
        kind = "works less well for a while";
        agent.holds(
            "cpu.clock", node, Severity.DEGRADED, FaultClass.CONFIGURATION, minutes(1, 120));
      }
      case 2 -> {
        kind = "flap";
        Instant before = lastFlap.getOrDefault(name, Instant.EPOCH);
        if (now.isBefore(before.plus(BETWEEN_FLAPS))) {
          return;
        }
        lastFlap.put(name, now);
        agent.holds(
            "nic.link.state",
            node.nic("mlx5_0", 1),
            Severity.DEGRADED,
            FaultClass.NETWORK,
            Duration.ofSeconds(5 + random.nextInt(85)));
      }
      case 3 -> {
        kind = "the job's own error";
        agent.say(
            Told.raised(
                "gpu.kernel.xid",
                node.gpu(gpu),
                Finding.Kind.EVENT,
                Severity.WARNING,
                FaultClass.USER));
      }
      case 4 -> {
        kind = "wrong numbers";
        agent.say(
            Told.raised(
                "job.loss.spike", node, Finding.Kind.EVENT, Severity.WARNING, FaultClass.NUMERICS));
      }
      case 5 -> {
        kind = "reboot";
        note(decider.decide(new Input.Silence(name, true, now), now).entries());
        at(
            now.plus(minutes(2, 20)),
            () -> {
              note(decider.decide(new Input.Silence(name, false, now), now).entries());
              agent.restart(described(number));
            });
      }
      case 6 -> {
        kind = "agent restart";
        agent.restart(described(number));
      }
      case 7 -> {
        kind = "silence";
        note(decider.decide(new Input.Silence(name, true, now), now).entries());
        at(
            now.plus(minutes(1, 240)),
            () -> note(decider.decide(new Input.Silence(name, false, now), now).entries()));
      }
      default -> {
        kind = "reports lost";
        agent.say(new Statement.Lost(7, now.minusSeconds(60), now));
      }
    }
    told.merge(kind, 1, Integer::sum);
  }

  private Duration minutes(int least, int most) {
    return Duration.ofMinutes(least + random.nextInt(most - least));
  }

  private void month() {
    begin();
    Instant end = BEGIN.plus(Duration.ofDays(DAYS));
    double perTick = NODES * 4.0 / Duration.ofDays(1).dividedBy(TICK);
    double owed = 0;
    while (now.isBefore(end)) {
      Instant tick = now.plus(TICK);
      while (!later.isEmpty() && !later.firstKey().isAfter(tick)) {
        var due = later.pollFirstEntry();
        now = due.getKey().isAfter(now) ? due.getKey() : now;
        due.getValue().forEach(Runnable::run);
      }
      now = tick;
      for (owed += perTick; owed >= 1; owed--) {
        noise(random.nextInt(NODES));
      }
      note(decider.decide(new Input.Tick(), now).entries());
    }
  }

  private void print(String what) {
    Logger.getLogger(HealthyMonthTest.class.getName())
        .info(
            "%s: %.0f node-days, %d taken out, %s"
                .formatted(what, state.nodeDays(now), out.size(), told));
  }

  @Test
  void inAMonthInWhichNothingIsBrokenNoNodeIsTakenOut() {
    month();
    print("healthy month");
    assertThat(out).isEmpty();
    assertThat(state.trust().drains()).isZero();
    assertThat(state.trust().interruptions()).isZero();
    assertThat(state.nodes())
        .allMatch(it -> it.service() == Service.IN || it.service() == Service.SUSPECT);
    assertThat(state.nodeDays(now)).isGreaterThanOrEqualTo(NODES * (double) DAYS - 1);
    assertThat(new Lemons(state, policy, now).nodes().rows()).noneMatch(Lemons.Row::lemon);
    assertThat(told).as("all kinds of noise").hasSize(9);
  }

  @Test
  void theSameMonthWithOneBrokenGpuTakesThatNodeOut() {
    at(BEGIN.plus(Duration.ofDays(17)), () -> agent("n40").say(Told.lostGpu("n40", 3)));
    month();
    print("month with one broken GPU");
    assertThat(out).isNotEmpty().allMatch(it -> it.startsWith("n40 "));
    assertThat(state.trust().drains()).isEqualTo(1);
  }

  @Test
  void whenSevenHundredAndFiftyNodesFailAtOnceTheGuardTripsAndSaysWhy() {
    int nodes = 1_000;
    for (int i = 0; i < nodes; i++) {
      Agent agent = new Agent("node/n" + i, Duration.ZERO);
      agents.put("n" + i, agent);
      agent.say(described(i));
    }
    long begin = System.nanoTime();
    List<Entry> tripped = new ArrayList<>();
    for (int i = 0; i < 750; i++) {
      String name = "n" + i;
      Agent agent = agent(name);
      agent.sequence++;
      List<Report> batch =
          List.of(new Report("node/" + name, 1, agent.sequence, now, Told.lostGpu(name, i % 8)));
      List<Entry> entries =
          decider.decide(new Input.Reported("node/" + name, batch), now).entries();
      note(entries);
      entries.stream().filter(RuleEntry.Tripped.class::isInstance).forEach(tripped::add);
    }
    now = now.plusSeconds(10);
    note(decider.decide(new Input.Tick(), now).entries());
    long millis = (System.nanoTime() - begin) / 1_000_000;
    print("750 of 1,000 nodes at once, decided in " + millis + " ms");
    long gone = state.nodes().stream().filter(it -> !it.service().takesJobs()).count();
    assertThat(gone).isLessThanOrEqualTo(policy.guard().burst());
    assertThat(state.findings()).hasSize(750).allMatch(it -> !it.incident().isEmpty());
    assertThat(tripped).hasSize(1);
    assertThat(state.tripped().orElseThrow().why())
        .contains("8 nodes were taken out within 10 min", "so many at once are rarely");
    assertThat(Duration.ofMillis(millis)).isLessThan(Duration.ofSeconds(30));
  }
}
