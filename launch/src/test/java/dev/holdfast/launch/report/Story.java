package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invented runs that could have happened, told moment by moment. */
final class Story {
  private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");
  private static final long FIRST_NANOS = 7_000_000_000_000L;

  private final List<Moment> moments = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final int perNode;
  private double now;

  private Story(int nodes, int perNode) {
    for (int i = 0; i < nodes; i++) {
      this.nodes.add("n" + i);
    }
    this.perNode = perNode;
  }

  static Story begin(int nodes, int perNode) {
    Story story = new Story(nodes, perNode);
    return story
        .at(0)
        .add(
            Kinds.JOB_BEGUN,
            "job",
            "local-0k3f9",
            "command",
            List.of("python3", "train.py", "--lr", "3e-4"));
  }

  Story at(double seconds) {
    now = seconds;
    return this;
  }

  Story add(String kind, @Nullable Object... details) {
    return add(kind, Json.map(details));
  }

  Story add(String kind, Map<String, @Nullable Object> details) {
    long nanos = Math.round(now * 1e9);
    moments.add(new Moment(BEGIN.plusNanos(nanos), FIRST_NANOS + nanos, kind, details));
    return this;
  }

  Story replace(String lost, String spare) {
    nodes.set(nodes.indexOf(lost), spare);
    return this;
  }

  /** From the agreement of the nodes to running ranks. */
  Story start(int attempt, double prepared, double started) {
    List<Object> members = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      members.add(Json.map("node", nodes.get(i), "firstRank", i * perNode, "processes", perNode));
    }
    at(prepared)
        .add(
            Kinds.ATTEMPT_PREPARED,
            "attempt",
            attempt,
            "world",
            nodes.size() * perNode,
            "members",
            members);
    for (int rank = 0; rank < nodes.size() * perNode; rank++) {
      at(prepared + 0.2)
          .add(
              Kinds.RANK_STARTED,
              "attempt",
              attempt,
              "rank",
              rank,
              "node",
              nodes.get(rank / perNode),
              "pid",
              4000 + rank);
    }
    return at(started).add(Kinds.RANKS_STARTED, "attempt", attempt);
  }

  /** Steps at an even pace; a sample every tenth. */
  Story train(int attempt, double from, double to, long firstStep, long lastStep) {
    at(from).add(Kinds.FIRST_STEP, "attempt", attempt, "rank", 0, "step", firstStep);
    for (int i = 1; i <= 10; i++) {
      at(from + (to - from) * i / 10)
          .add(Kinds.STEP, "attempt", attempt, "step", firstStep + (lastStep - firstStep) * i / 10);
    }
    return this;
  }

  Story phase(int attempt, double from, double to) {
    at(from).add(Kinds.PHASE_BEGUN, "attempt", attempt, "phase", "checkpoint", "rank", 0);
    return at(to).add(Kinds.PHASE_ENDED, "attempt", attempt, "phase", "checkpoint", "rank", 0);
  }

  Story exit(int attempt, int rank, int code, int signal, boolean ours) {
    return add(
        Kinds.RANK_EXITED,
        "attempt",
        attempt,
        "rank",
        rank,
        "node",
        nodes.get(rank / perNode),
        "exitCode",
        code,
        "signal",
        signal,
        "stoppedByUs",
        ours);
  }

  Story exitAll(int attempt, int code, int signal, boolean ours) {
    for (int rank = 0; rank < nodes.size() * perNode; rank++) {
      exit(attempt, rank, code, signal, ours);
    }
    return this;
  }

  Story diagnosis(int attempt, Diagnosis diagnosis) {
    return add(Kinds.DIAGNOSIS, with(attempt, diagnosis.json()));
  }

  Story decision(int attempt, Decision decision) {
    return add(Kinds.DECISION, with(attempt, decision.json()));
  }

  Story stop(int attempt, double from, double to) {
    at(from).add(Kinds.STOP_BEGUN, "attempt", attempt);
    return at(to)
        .add(Kinds.STOPPED, "attempt", attempt)
        .add(Kinds.ATTEMPT_ENDED, "attempt", attempt, "outcome", "failed");
  }

  Story done(int attempt, double at) {
    return at(at)
        .exitAll(attempt, 0, 0, false)
        .add(Kinds.ATTEMPT_ENDED, "attempt", attempt, "outcome", "done")
        .at(at + 0.4)
        .add(Kinds.JOB_ENDED, "exitCode", 0);
  }

  List<Moment> moments() {
    return List.copyOf(moments);
  }

  RunReport report() {
    return RunReport.of(moments);
  }

  private static Map<String, @Nullable Object> with(
      int attempt, Map<String, @Nullable Object> tree) {
    Map<String, @Nullable Object> details = new LinkedHashMap<>();
    details.put("attempt", attempt);
    details.putAll(tree);
    return details;
  }

  private static Diagnosis because(
      FailureClass kind, int rank, String node, String what, long step, String rule) {
    List<Integer> ranks = rank < 0 ? List.of() : List.of(rank);
    return new Diagnosis(
        kind, ranks, node, 0.85, what, List.of("invented for this story"), step, rule, "");
  }

  static Story clean() {
    return begin(1, 4)
        .start(0, 1.5, 2.5)
        .train(0, 22, 900, 1, 1000)
        .phase(0, 450, 462)
        .done(0, 903);
  }

  static Story hang() {
    return begin(1, 4)
        .start(0, 1.5, 2.5)
        .train(0, 22, 1822, 1, 412)
        .phase(0, 1500, 1512)
        .at(1840)
        .diagnosis(
            0,
            because(
                FailureClass.HANG,
                2,
                "n0",
                "Rank 2 has not moved for 18 s while the others wait for it in a collective.",
                412,
                ""))
        .at(1840.01)
        .decision(0, Decision.restart("Restart 1 of at most 3 on the same nodes."))
        .at(1843)
        .exitAll(0, -1, 9, true)
        .stop(0, 1840.02, 1843.5)
        .start(1, 1844.5, 1845.5)
        .train(1, 1870, 4200, 340, 900)
        .done(1, 4203);
  }

  static Story kill() {
    return begin(1, 2)
        .start(0, 1, 2)
        .train(0, 12, 300, 1, 100)
        .at(312)
        .exit(0, 1, -1, 9, false)
        .at(312.1)
        .add(Kinds.STOP_BEGUN, "attempt", 0)
        .at(312.6)
        .exit(0, 0, -1, 15, true)
        .add(Kinds.STOPPED, "attempt", 0)
        .at(312.7)
        .diagnosis(
            0,
            because(
                FailureClass.UNKNOWN,
                1,
                "",
                "Rank 1 on n0: ended by signal 9. Killed from outside with signal 9. By whom cannot be told.",
                104,
                "signal.kill"))
        .decision(0, Decision.restart("Restart 1 of at most 3 on the same nodes."))
        .start(1, 313.5, 314.5)
        .train(1, 325, 700, 91, 220)
        .done(1, 701);
  }

  static Story nodeLost() {
    return begin(4, 8)
        .at(0.5)
        .add(Kinds.NODE_JOINED, "node", "n4")
        .start(0, 6, 9)
        .train(0, 60, 7200, 1, 3600)
        .at(7206)
        .diagnosis(
            0,
            because(
                FailureClass.LOST_NODE,
                16,
                "n2",
                "The launcher on n2 has not been heard of for 6 s; its ranks are gone with it.",
                3600,
                ""))
        .decision(0, Decision.restartWithout("n2", "Restart without n2: lost-node there."))
        .at(7208)
        .exitAll(0, -1, 9, true)
        .stop(0, 7206.1, 7208.4)
        .replace("n2", "n4")
        .start(1, 7211, 7214)
        .train(1, 7260, 14_000, 3501, 6900)
        .done(1, 14_003);
  }

  static Story crashLoop() {
    Story story = begin(1, 2);
    double at = 1;
    for (int attempt = 0; attempt < 3; attempt++) {
      story
          .start(attempt, at, at + 1)
          .at(at + 8)
          .exit(attempt, 0, 1, 0, false)
          .at(at + 8.05)
          .diagnosis(
              attempt,
              because(
                  FailureClass.USER_CODE,
                  0,
                  "",
                  "Rank 0 on n0: KeyError: 'tokens_" + attempt + "'",
                  -1,
                  "any.traceback"))
          .decision(
              attempt,
              attempt < 2
                  ? Decision.restart(
                      "Restart " + (attempt + 1) + " of at most 3 on the same nodes.")
                  : Decision.stop(1, "Crash loop: 3 attempts in a row got no further."))
          .at(at + 8.3)
          .exit(attempt, 1, -1, 15, true)
          .stop(attempt, at + 8.1, at + 8.4);
      at += 10;
    }
    return story.add(
        Kinds.JOB_ENDED, "exitCode", 1, "why", "Crash loop: 3 attempts in a row got no further.");
  }

  static Story preempted() {
    return begin(2, 2)
        .start(0, 3, 4)
        .train(0, 30, 3000, 1, 500)
        .at(3010)
        .diagnosis(
            0,
            because(
                FailureClass.PREEMPTION,
                -1,
                "",
                "The scheduler asked the job to end (signal 15).",
                500,
                "job.preempted"))
        .decision(0, Decision.stop(143, "The job was asked to end."))
        .at(3025)
        .exitAll(0, 0, 0, true)
        .stop(0, 3010.1, 3025.2)
        .at(3025.5)
        .add(Kinds.CLOCK_JUMP, "seconds", 3600)
        .add(Kinds.JOB_ENDED, "exitCode", 143, "why", "The job was asked to end.");
  }

  static Story large() {
    return begin(512, 8)
        .start(0, 20, 45)
        .train(0, 200, 86_000, 1, 5000)
        .phase(0, 40_000, 40_060)
        .at(86_020)
        .exit(0, 1307, 1, 0, false)
        .at(86_020.2)
        .diagnosis(
            0,
            because(
                FailureClass.ECC,
                1307,
                "n163",
                "Rank 1307 on n163: RuntimeError: CUDA error: uncorrectable ECC error encountered",
                5001,
                "gpu.ecc"))
        .decision(0, Decision.restartWithout("n163", "Restart without n163: ecc there."))
        .stop(0, 86_020.3, 86_040)
        .replace("n163", "spare0")
        .start(1, 86_060, 86_090)
        .train(1, 86_300, 172_000, 4900, 9800)
        .done(1, 172_010);
  }
}
