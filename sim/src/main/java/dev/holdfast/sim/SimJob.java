package dev.holdfast.sim;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The launcher of a job that trains nothing: steps, checkpoints, and leaves nodes when asked to. A
 * node that is broken but works slows all of it down; a restart takes time in which nothing steps,
 * and what was done since the last checkpoint is done again.
 */
final class SimJob {
  private static final double STEP_SECONDS = 0.5;
  private static final Duration RESTART = Duration.ofSeconds(3);

  private final String name;
  private final int devices;
  private final Source source;
  private final Line line;
  private final Clock clock;
  private final Duration checkpoints;
  private final Surroundings surroundings;
  private final Random random;
  private final List<String> nodes;
  private final Set<String> leaving = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private final Map<List<String>, Double> losses = new LinkedHashMap<>();
  private final Instant begun;
  private Instant checkpoint;
  private Instant unsaved;
  private Instant stepped;
  private double steps;
  private double stepsKept;
  private double stepSeconds = STEP_SECONDS;
  private int attempt;

  /** What a job is told of the cluster it runs on. */
  interface Surroundings {
    /** A node nobody uses. */
    Optional<String> spare();

    /** What is broken there, empty: nothing. */
    String broken(String node);
  }

  SimJob(
      String name,
      List<String> nodes,
      int devices,
      Source source,
      Line line,
      Clock clock,
      Duration checkpoints,
      Surroundings surroundings) {
    this.name = name;
    this.nodes = new ArrayList<>(nodes);
    this.devices = devices;
    this.source = source;
    this.line = line;
    this.clock = clock;
    this.checkpoints = checkpoints;
    this.surroundings = surroundings;
    this.random = new Random(name.hashCode());
    this.begun = clock.instant();
    this.checkpoint = begun;
    this.unsaved = begun;
    this.stepped = begun;
  }

  synchronized boolean uses(String node) {
    return nodes.contains(node);
  }

  /** One round of the launcher: train a little, do what is asked, tell how it is. */
  void round() throws IOException, InterruptedException {
    train();
    for (Request request : line.asked(source.name(), 2)) {
      if (answered.add(request.id())) {
        answer(request);
      }
    }
    source.say(new Statement.JobTold(description()));
    source.send();
  }

  private synchronized void train() {
    Instant now = clock.instant();
    stepSeconds = STEP_SECONDS * slowness() * (1 + 0.03 * Math.abs(random.nextGaussian()));
    if (now.isAfter(stepped)) {
      steps += Duration.between(stepped, now).toMillis() / 1000.0 / stepSeconds;
      stepped = now;
    }
    if (Duration.between(unsaved, now).compareTo(checkpoints) >= 0) {
      checkpoint = now;
      unsaved = now;
      stepsKept = steps;
      List.copyOf(leaving).forEach(it -> leave(it, "left at a checkpoint"));
      leaving.clear();
    }
  }

  /** All wait for the slowest. */
  private double slowness() {
    double slowest = 1;
    for (String node : nodes) {
      slowest =
          Math.max(
              slowest,
              switch (surroundings.broken(node)) {
                case "nic.state" -> 1.7;
                case "gpu.ecc.corrected" -> 1.15;
                default -> 1;
              });
    }
    return slowest;
  }

  private synchronized void answer(Request request) {
    String node = request.subject() instanceof Subject.Node(String it) ? it : "";
    Statement.Answer answer = Statement.Answer.DONE;
    switch (request.kind()) {
      case STOP_AT_CHECKPOINT -> leaving.add(node);
      case RESTART_JOB -> leave(node, request.why());
      case AVOID_NODE -> {}
      case VERIFY, RESTART_PROCESS, RESET_DEVICE, CORDON, UNCORDON, RESERVE, RELEASE, CONFIRM ->
          answer = Statement.Answer.REFUSED;
    }
    source.say(new Statement.Answered(request.id(), answer, "job " + name));
  }

  private void leave(String node, String why) {
    int place = nodes.indexOf(node);
    Optional<String> other = surroundings.spare();
    if (place < 0 || other.isEmpty()) {
      return;
    }
    String broken = surroundings.broken(node);
    String cause = broken.isEmpty() ? "drain" : broken;
    nodes.set(place, other.get());
    attempt++;
    Instant now = clock.instant();
    lose("restart", cause, RESTART.toSeconds());
    lose("recompute", cause, Duration.between(unsaved, now).toMillis() / 1000.0);
    steps = stepsKept;
    stepped = now.plus(RESTART);
    unsaved = stepped;
    source.say(new Statement.JobDecided(name, attempt, "restart", node, why));
  }

  private void lose(String phase, String cause, double seconds) {
    if (seconds > 0) {
      losses.merge(List.of(phase, cause), seconds, Double::sum);
    }
  }

  private synchronized JobDescription description() {
    List<JobMember> members = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      members.add(new JobMember(nodes.get(i), i * devices, devices));
    }
    return new JobDescription(
        name,
        "demo",
        JobDescription.State.RUNNING,
        attempt,
        attempt,
        begun,
        members,
        (long) steps,
        stepSeconds,
        Optional.of(checkpoint),
        checkpoints.toSeconds(),
        losses.entrySet().stream()
            .map(it -> new JobLoss(it.getKey().getFirst(), it.getKey().getLast(), it.getValue()))
            .toList());
  }
}
