package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Kills the control plane at random moments of random days: before a group is durable, after it is
 * durable and before it is answered. Sources send again what was not answered, now and then twice
 * or in the wrong order. What is known in the end must be what an undisturbed day gives.
 */
class RecoveryTest {
  private static final int SEEDS = Integer.getInteger("holdfast.recovery.seeds", 300);
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  /** One source's batch of reports. */
  record Sent(String source, List<Report> reports) {}

  static List<Sent> day(Random random) {
    Map<String, Told> sources = new HashMap<>();
    List<Sent> day = new ArrayList<>();
    int nodes = 4 + random.nextInt(12);
    for (int i = 0; i < nodes; i++) {
      String name = "n" + i;
      day.add(say(sources, "node/" + name, Told.described(name, "r" + i / 4, "l" + i / 8)));
    }
    int length = 10 + random.nextInt(60);
    for (int i = 0; i < length; i++) {
      String name = "n" + random.nextInt(nodes);
      int gpu = random.nextInt(8);
      Statement[] said =
          switch (random.nextInt(9)) {
            case 0 -> new Statement[] {Told.lostGpu(name, gpu), Told.linkDown(name)};
            case 1 -> new Statement[] {Told.linkDown(name)};
            case 2 ->
                new Statement[] {
                  new Statement.Cleared("gpu.reachable", new Subject.Node(name).gpu(gpu), "mended")
                };
            case 3 ->
                new Statement[] {
                  new Statement.Cleared("nic.state", new Subject.Node(name).nic("mlx5_0", 1), "up")
                };
            case 4 ->
                new Statement[] {
                  new Statement.Answered(
                      "a-" + (1 + random.nextInt(20)),
                      random.nextBoolean() ? Statement.Answer.DONE : Statement.Answer.FAILED,
                      "tried")
                };
            case 5 -> new Statement[] {Told.lostGpu("n" + random.nextInt(nodes), gpu)};
            case 6 -> outside(random, name);
            case 7 ->
                new Statement[] {
                  Told.described("n" + random.nextInt(nodes), "r" + random.nextInt(3), "")
                };
            default ->
                new Statement[] {
                  Told.job("j" + random.nextInt(2), TIME, name, "n" + random.nextInt(nodes))
                };
          };
      String source =
          switch (said[0]) {
            case Statement.JobTold _ -> "run/jobs";
            case Statement.External _ -> random.nextInt(4) == 0 ? "node/" + name : "public/filer";
            default -> "node/" + name;
          };
      day.add(say(sources, source, said));
    }
    return day;
  }

  /** A fault told from outside, by whoever may and by whoever may not. */
  private static Statement[] outside(Random random, String name) {
    Statement.Raised like = (Statement.Raised) Told.worse(random.nextInt(5) == 0 ? "x9" : name, 0);
    return new Statement[] {
      new Statement.External(
          "F" + random.nextInt(3),
          Statement.External.Assertion.values()[random.nextInt(3)],
          like.finding(),
          List.of(new Subject.Node(name)),
          random.nextBoolean() ? Optional.empty() : Optional.of(TIME.plusSeconds(600)))
    };
  }

  private static Sent say(Map<String, Told> sources, String source, Statement... statements) {
    Told told = sources.computeIfAbsent(source, Told::new);
    return new Sent(source, java.util.Arrays.stream(statements).map(told::say).toList());
  }

  /** A control plane whose disk is a list of lines. */
  private static final class Plane {
    private final List<String> disk;
    private final ClusterState state = new ClusterState();
    private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());

    Plane(List<String> disk) {
      this.disk = disk;
      disk.forEach(line -> state.apply(Batch.of(line)));
    }

    List<Entry> decide(Sent sent) {
      return decider.decide(new Input.Reported(sent.source(), sent.reports()), TIME).entries();
    }

    void sync(List<Entry> entries) {
      if (!entries.isEmpty()) {
        disk.add(new Batch(TIME, entries).line());
      }
    }
  }

  private static Plane undisturbed(List<Sent> day) {
    Plane plane = new Plane(new ArrayList<>());
    day.forEach(sent -> plane.sync(plane.decide(sent)));
    return plane;
  }

  private static Plane disturbed(List<Sent> day, Random random) {
    List<String> disk = new ArrayList<>();
    Plane plane = new Plane(disk);
    for (int i = 0; i < day.size(); i++) {
      Sent sent = day.get(i);
      switch (random.nextInt(6)) {
        case 0 -> {
          // Killed before it was durable: nobody was answered, the source sends again.
          plane.decide(sent);
          plane = new Plane(disk);
          plane.sync(plane.decide(sent));
        }
        case 1 -> {
          // Killed after it was durable and before the answer.
          plane.sync(plane.decide(sent));
          plane = new Plane(disk);
          plane.sync(plane.decide(sent));
        }
        case 2 -> {
          plane.sync(plane.decide(sent));
          for (int again = random.nextInt(4); again >= 0; again--) {
            plane.sync(plane.decide(day.get(random.nextInt(i + 1))));
          }
        }
        case 3 -> {
          // What comes too early is not applied, and comes again in its turn.
          Sent later = day.get(i + random.nextInt(day.size() - i));
          if (later.reports().getFirst().sequence() > 1 && !later.source().equals(sent.source())) {
            boolean next =
                plane
                    .state
                    .cursor(later.source())
                    .next(
                        later.reports().getFirst().epoch(), later.reports().getFirst().sequence());
            if (!next) {
              assertThat(plane.decide(later)).isEmpty();
            }
          }
          plane.sync(plane.decide(sent));
        }
        default -> plane.sync(plane.decide(sent));
      }
    }
    return new Plane(disk);
  }

  @Test
  void afterAnyNumberOfCrashesTheStateIsThatOfAnUndisturbedDay() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      List<Sent> day = day(new Random(seed));
      ClusterState expected = undisturbed(day).state;
      Plane plane = disturbed(day, new Random(-seed));
      ClusterState found = plane.state;
      String what = "seed " + seed;
      assertThat(found.nodes()).as(what).containsExactlyElementsOf(expected.nodes());
      assertThat(found.incidents()).as(what).containsExactlyElementsOf(expected.incidents());
      assertThat(found.decisions()).as(what).containsExactlyElementsOf(expected.decisions());
      assertThat(found.findings())
          .as(what)
          .containsExactlyInAnyOrderElementsOf(expected.findings());
      assertThat(found.jobs()).as(what).containsExactlyElementsOf(expected.jobs());
      assertThat(found.trust()).as(what).isEqualTo(expected.trust());
      assertThat(found.strikes(Instant.EPOCH))
          .as(what)
          .containsExactlyElementsOf(expected.strikes(Instant.EPOCH));
      assertThat(found.openActions())
          .as(what)
          .containsExactlyInAnyOrderElementsOf(expected.openActions());
    }
  }

  @Test
  void noActionIsIntendedTwiceHoweverOftenTheProcessDies() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      Plane plane = disturbed(day(new Random(seed)), new Random(-seed));
      Set<String> intended = new HashSet<>();
      for (String line : plane.disk) {
        for (Entry entry : Batch.of(line).entries()) {
          if (entry instanceof DecisionEntry.Intended action) {
            assertThat(intended.add(action.request().id())).as("seed " + seed).isTrue();
          }
        }
      }
    }
  }
}
