package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever a source sends is refused in words or decided about; it never ends the control plane,
 * and never touches a node that is not the source's.
 */
class HostileReportsTest {
  private static final int ROUNDS = Integer.getInteger("holdfast.hostile.rounds", 20_000);
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  private final ClusterState state = new ClusterState();
  private final Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());

  private List<Entry> decide(String source, List<Report> reports) {
    return decider.decide(new Input.Reported(source, reports), TIME).entries();
  }

  private static List<Statement> everything() {
    Statement.Raised worse = (Statement.Raised) Told.worse("n1", 1);
    return List.of(
        Told.described("n1", "r1", "l1"),
        Told.lostGpu("n1", 1),
        Told.linkDown("n1"),
        new Statement.Cleared("gpu.reachable", new Subject.Node("n1").gpu(1), "mended"),
        new Statement.Lost(3, TIME, TIME),
        Told.job("j1", TIME, "n1", "n2"),
        new Statement.JobDecided("j1", 1, "restart", "n1", "why"),
        new Statement.Answered("a-1", Statement.Answer.DONE, "done"),
        new Statement.External(
            "F",
            Statement.External.Assertion.OCCUR,
            worse.finding(),
            List.of(new Subject.Node("n2")),
            Optional.of(TIME.plusSeconds(60))));
  }

  private static String garbled(String line, Random random) {
    StringBuilder text = new StringBuilder(line);
    String[] pieces = {
      "\"",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "null",
      "-1",
      "1e999",
      "99999999999999999999",
      "\\u0000",
      "\\",
      "é",
      "\"\"",
      "true",
      "/",
      "//",
      "node/",
      " ",
      "\n",
      "\uD800",
      "../..",
      "x".repeat(300)
    };
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, pieces[random.nextInt(pieces.length)]);
        case 2 -> {
          int until = Math.min(text.length(), at + random.nextInt(12));
          text.replace(at, until, pieces[random.nextInt(pieces.length)]);
        }
        default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
      }
      if (text.isEmpty()) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  @Test
  void garbageIsRefusedInWordsOrDecidedAboutAndNeverEndsTheControlPlane() {
    decide("node/n2", List.of(Told.node("n2").say(Told.described("n2", "r1", "l1"))));
    Random random = new Random(4711);
    List<Statement> statements = everything();
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Statement statement = statements.get(random.nextInt(statements.size()));
      String source = random.nextBoolean() ? "node/n1" : "public/x";
      String line = garbled(new Report(source, round + 1, 1, TIME, statement).line(), random);
      Report report;
      try {
        report = Report.of(line);
      } catch (IllegalArgumentException refused) {
        assertThat(refused.getMessage()).as(line).isNotBlank();
        continue;
      }
      read++;
      List<Entry> entries = decide(report.source(), List.of(report));
      if (!entries.isEmpty()) {
        String written = new Batch(TIME, entries).line();
        assertThat(Batch.of(written).line()).as(line).isEqualTo(written);
      }
    }
    decider.decide(new Input.Tick(), TIME.plusSeconds(60));
    assertThat(read).as("some of it must be readable, or nothing was tried").isPositive();
    assertThat(ROUNDS - read).as("and some must not").isPositive();
  }

  @Test
  void whatAnAgentSaysInTheNameOfOthersChangesNothingOfTheirs() {
    decide("node/n1", List.of(Told.node("n1").say(Told.described("n1", "r1", "l1"))));
    Told victim = Told.node("n2");
    decide(
        "node/n2",
        List.of(victim.say(Told.described("n2", "r1", "l1")), victim.say(Told.worse("n2", 1))));
    List<Object> before =
        List.of(state.node("n2").orElseThrow(), List.copyOf(state.findingsOf("n2")));

    Told thief = new Told("node/n1");
    thief.say(Told.described("n1", "r1", "l1"));
    List<Report> theft = new ArrayList<>();
    theft.add(thief.say(Told.lostGpu("n2", 3)));
    theft.add(
        thief.say(new Statement.Cleared("gpu.ecc.corrected", new Subject.Node("n2").gpu(1), "")));
    theft.add(thief.say(Told.described("n2", "elsewhere", "elsewhere")));
    theft.add(
        thief.say(
            new Statement.External(
                "F",
                Statement.External.Assertion.OCCUR,
                ((Statement.Raised) Told.lostGpu("n2", 4)).finding(),
                List.of(),
                Optional.empty())));
    state
        .openActions("node/n2")
        .forEach(
            it ->
                theft.add(
                    thief.say(
                        new Statement.Answered(
                            it.request().id(), Statement.Answer.DONE, "for him"))));
    int open = state.openActions("node/n2").size();
    decide("node/n1", theft);
    assertThat(List.of(state.node("n2").orElseThrow(), List.copyOf(state.findingsOf("n2"))))
        .isEqualTo(before);
    assertThat(state.openActions("node/n2")).hasSize(open);

    Report forged = new Report("node/n2", 9, 1, TIME, Told.lostGpu("n2", 5));
    decide("node/n1", List.of(forged));
    assertThat(state.findingsOf("n2")).hasSize(1);
  }

  @Test
  void aNodeWithoutNamesAndOneWithThousandsOfPartsAreTakenAsTheyAre() {
    TreeMap<String, String> place = new TreeMap<>();
    place.put("rack", "");
    place.put("", "x");
    place.put("a b", "c");
    place.put("leaf", "l1");
    var odd =
        new dev.holdfast.core.cluster.NodeDescription(
            "n1", "", place, new TreeMap<>(java.util.Map.of("driver", " ")), List.of());
    Told told = Told.node("n1");
    decide("node/n1", List.of(told.say(new Statement.Described(odd))));
    assertThat(state.node("n1").orElseThrow().place("leaf")).isEqualTo("l1");
    List<Report> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(told.say(Told.lostGpu("n1", i)));
    }
    decide("node/n1", many);
    assertThat(state.findingsOf("n1")).hasSize(2_000);
    assertThat(state.openIncidents()).as("they are one incident of the node").hasSize(1);
    assertThat(state.node("n1").orElseThrow().service()).isNotEqualTo(Service.IN);
  }
}
