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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The launcher of a job that trains nothing: steps, checkpoints, and leaves nodes when asked to.
 */
final class SimJob {
  private static final double STEP_SECONDS = 0.5;

  private final String name;
  private final int devices;
  private final Source source;
  private final Line line;
  private final Clock clock;
  private final Duration checkpoints;
  private final Supplier<Optional<String>> spare;
  private final List<String> nodes;
  private final Set<String> leaving = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private final List<JobLoss> losses = new ArrayList<>();
  private final Instant begun;
  private Instant checkpoint;
  private Instant stepped;
  private double steps;
  private int attempt;

  SimJob(
      String name,
      List<String> nodes,
      int devices,
      Source source,
      Line line,
      Clock clock,
      Duration checkpoints,
      Supplier<Optional<String>> spare) {
    this.name = name;
    this.nodes = new ArrayList<>(nodes);
    this.devices = devices;
    this.source = source;
    this.line = line;
    this.clock = clock;
    this.checkpoints = checkpoints;
    this.spare = spare;
    this.begun = clock.instant();
    this.checkpoint = begun;
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
    steps += Duration.between(stepped, now).toMillis() / 1000.0 / STEP_SECONDS;
    stepped = now;
    if (Duration.between(checkpoint, now).compareTo(checkpoints) >= 0) {
      checkpoint = now;
      List.copyOf(leaving).forEach(it -> leave(it, 0, "left at a checkpoint"));
      leaving.clear();
    }
  }

  private synchronized void answer(Request request) {
    String node = request.subject() instanceof Subject.Node(String it) ? it : "";
    Statement.Answer answer = Statement.Answer.DONE;
    switch (request.kind()) {
      case STOP_AT_CHECKPOINT -> leaving.add(node);
      case RESTART_JOB ->
          leave(
              node,
              Duration.between(checkpoint, clock.instant()).toMillis() / 1000.0,
              request.why());
      case AVOID_NODE -> {}
      case VERIFY, RESTART_PROCESS, RESET_DEVICE, CORDON, UNCORDON, CONFIRM ->
          answer = Statement.Answer.REFUSED;
    }
    source.say(new Statement.Answered(request.id(), answer, "job " + name));
  }

  private void leave(String node, double repeated, String why) {
    int place = nodes.indexOf(node);
    Optional<String> other = spare.get();
    if (place < 0 || other.isEmpty()) {
      return;
    }
    nodes.set(place, other.get());
    attempt++;
    losses.add(new JobLoss("restart", "lost-gpu", 20));
    losses.add(new JobLoss("recompute", "lost-gpu", repeated));
    source.say(new Statement.JobDecided(name, attempt, "restart", node, why));
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
        STEP_SECONDS,
        Optional.of(checkpoint),
        checkpoints.toSeconds(),
        List.copyOf(losses));
  }
}
