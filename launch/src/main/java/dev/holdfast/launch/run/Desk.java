package dev.holdfast.launch.run;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.rendezvous.View;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.tell.AgentLine;
import dev.holdfast.launch.tell.JobTeller;
import dev.holdfast.launch.tell.LeavePlan;
import dev.holdfast.os.place.Places;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where this launcher and the control plane meet, through the agent of the node: it hears how the
 * job is and may ask the job to leave a node. This launcher alone decides whether the job does.
 */
final class Desk implements AutoCloseable {
  private final JobSpec spec;
  private final RunLog log;
  private final RunJudge judge;
  private final Supplier<Optional<View>> view;
  private final Optional<AgentLine> line;
  private final Optional<JobTeller> teller;
  private final AtomicBoolean complained = new AtomicBoolean();
  private @Nullable Instant begun;

  /**
   * @param view of the rendezvous, once it was met
   */
  Desk(JobSpec spec, RunLog log, RunJudge judge, Supplier<Optional<View>> view) {
    this.spec = spec;
    this.log = log;
    this.judge = judge;
    this.view = view;
    Optional<Path> socket = AgentLine.place(System.getenv(), Places.ofThisProcess().runtime());
    this.line = socket.map(it -> new AgentLine(it, this::asked, this::refused));
    this.teller =
        line.map(
            it ->
                new JobTeller(
                    spec.job(),
                    System.getProperty("user.name", ""),
                    it,
                    judge.checkpoints(),
                    log::moments));
    line.ifPresent(AgentLine::start);
  }

  /**
   * Tells how the job is, if this launcher leads it and an attempt was begun; if it follows, that
   * it is here.
   *
   * @param here what the ranks of this node told last: the last of all is seen nowhere else
   */
  void look(boolean leads, JobDescription.State state, NodeRanks here) {
    Optional<Assignment> given = judge.watched();
    if (leads && given.isPresent()) {
      int attempt = given.get().attempt();
      long step = Math.max(judge.step(attempt), here.step(attempt));
      teller.ifPresent(it -> it.look(state, given.get(), step, begun(), System.nanoTime()));
    } else if (!leads && here.attempt() >= 0) {
      teller.ifPresent(
          it -> {
            if (state.over()) {
              it.left();
            } else {
              it.follow(System.nanoTime());
            }
          });
    }
  }

  void decided(int attempt, Decision decision) {
    teller.ifPresent(it -> it.decided(attempt, decision));
  }

  /** When the job began, not only this process. */
  private Instant begun() {
    Instant known = begun;
    if (known == null) {
      known = log.moments().stream().findFirst().map(Moment::at).orElseGet(Instant::now);
      begun = known;
    }
    return known;
  }

  private void refused(String why) {
    boolean older = why.equals("'jobHere' is not taken here"); // an agent of before
    if (!older && complained.compareAndSet(false, true)) {
      log.say("the agent of this node does not take what this job tells: " + why);
    }
  }

  private void asked(Request request) {
    Statement.Answered answer = answer(request);
    log.say(
        "the control plane asks to %s %s (%s): %s"
            .formatted(request.kind().word(), request.subject(), request.why(), answer.detail()));
    line.ifPresent(it -> it.say(answer));
  }

  private Statement.Answered answer(Request request) {
    Optional<Assignment> given = judge.watched();
    boolean leads = view.get().map(it -> it.role().equals("leader")).orElse(false);
    if (!leads || given.isEmpty()) {
      return answer(request, Answer.REFUSED, "this launcher does not lead the job");
    }
    if (!(request.subject() instanceof Subject.Node(String node))) {
      return answer(request, Answer.REFUSED, "a job leaves nodes, not " + request.subject());
    }
    if (given.get().nodeRank(node).isEmpty()) {
      judge.leaving().add(new LeavePlan.Leave(node, LeavePlan.When.NEXT_ATTEMPT, request.why(), 0));
      return answer(request, Answer.DONE, "the job does not use " + node);
    }
    int others = given.get().members().size() - 1 + spares();
    if (others < spec.team().minNodes()) {
      return answer(
          request,
          Answer.REFUSED,
          "without %s there are %d nodes, and the job needs %d"
              .formatted(node, others, spec.team().minNodes()));
    }
    return switch (request.kind()) {
      case AVOID_NODE -> leave(request, node, LeavePlan.When.NEXT_ATTEMPT, "at the next restart");
      case STOP_AT_CHECKPOINT ->
          judge.checkpoints().complete() == 0
              ? answer(request, Answer.REFUSED, "the ranks told of no checkpoint so far")
              : leave(request, node, LeavePlan.When.NEXT_CHECKPOINT, "after the next checkpoint");
      case RESTART_JOB -> leave(request, node, LeavePlan.When.NOW, "now");
      default -> answer(request, Answer.REFUSED, "a launcher does not " + request.kind().word());
    };
  }

  private Statement.Answered leave(
      Request request, String node, LeavePlan.When when, String words) {
    judge
        .leaving()
        .add(new LeavePlan.Leave(node, when, request.why(), judge.checkpoints().complete()));
    return answer(request, Answer.DONE, "the job leaves " + node + " " + words);
  }

  private static Statement.Answered answer(Request request, Answer answer, String detail) {
    return new Statement.Answered(request.id(), answer, detail);
  }

  private int spares() {
    return view.get()
        .map(it -> (int) it.members().stream().filter(m -> m.state() == View.State.SPARE).count())
        .orElse(0);
  }

  @Override
  public void close() {
    line.ifPresent(AgentLine::close);
  }
}
