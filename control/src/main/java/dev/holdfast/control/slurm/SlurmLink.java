package dev.holdfast.control.slurm;

import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Schedulers;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.RequestBoard;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmIdentity;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.os.process.Heartbeats;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Holds the control plane and Slurm together, on one thread: reads Slurm now and then, does what is
 * asked of it as soon as that is durable, and tells what came of it. One thread, so that what is
 * read is never older than what was done before.
 *
 * <p>How often Slurm is read is bounded: every {@link SlurmSettings#interval}, every second while a
 * node or a job is in motion, and never more than a fifth of the time. While slurmctld is away what
 * it said last holds, and what is asked of it waits.
 */
public final class SlurmLink implements AutoCloseable {
  /** Between two reads while something is in motion. */
  private static final Duration LIVELY = Duration.ofSeconds(1);

  /** So many times as long as a read took nothing is read after it. */
  private static final int REST = 4;

  /** Between two looks at which cluster it is and how its clock stands. */
  private static final Duration IDENTITY = Duration.ofMinutes(5);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration IN_MOTION = Duration.ofMinutes(5);

  /** Longer than Slurm's programs are waited for, one after the other. */
  private static final Duration STUCK = Duration.ofMinutes(10);

  private static final int GROUP = 1_000;
  private static final long PATIENCE_SECONDS = 30;
  private static final long END_MILLIS = 3_000;

  private final Engine engine;
  private final ClusterState state;
  private final RequestBoard board;
  private final SlurmSettings settings;
  private final Clock clock;
  private final Consumer<String> messages;
  private final SlurmPrograms programs;
  private final CommandReader commands;
  private final SlurmLooks looks;
  private final Exclusions exclusions;
  private final SlurmHand hand;
  private final SlurmTroubles troubles = new SlurmTroubles();
  private final Thread thread = Thread.ofPlatform().name("slurm").daemon().unstarted(this::work);
  private Heartbeats.Beat heartbeat = Heartbeats.UNSEEN;
  private volatile SlurmStatus status = SlurmStatus.NOTHING;
  private volatile boolean closing;
  private final Set<String> missed = new HashSet<>();
  private String source = "";
  private long epoch;
  private boolean again = true;
  private String boot = "";
  private Duration pause = FIRST_PAUSE;
  private Instant nextRead = Instant.MIN;
  private Instant nextIdentity = Instant.MIN;

  public SlurmLink(
      Engine engine,
      RequestBoard board,
      SlurmSettings settings,
      Clock clock,
      Consumer<String> messages) {
    this.engine = engine;
    this.state = engine.state();
    this.board = board;
    this.settings = settings;
    this.clock = clock;
    this.messages = messages;
    this.programs = new SlurmPrograms(settings);
    this.commands = new CommandReader(programs);
    this.looks =
        new SlurmLooks(
            commands,
            settings.rest().place().isEmpty()
                ? Optional.empty()
                : Optional.of(new RestReader(settings)),
            clock);
    this.exclusions = new Exclusions(programs, commands);
    this.hand = new SlurmHand(programs, commands, exclusions, settings.cancels());
  }

  public void start(Heartbeats heartbeats) {
    heartbeat = heartbeats.expect("the link to Slurm", settings.interval().plus(STUCK)).of(thread);
    thread.start();
  }

  public SlurmStatus status() {
    return status;
  }

  private void work() {
    while (!closing) {
      heartbeat.beat();
      try {
        round();
        pause = FIRST_PAUSE;
      } catch (SlurmAway away) {
        if (!rest(String.valueOf(away.getMessage()))) {
          return;
        }
      } catch (InterruptedException ending) {
        return;
      } catch (ExecutionException | TimeoutException | RuntimeException problem) {
        if (!rest("the control plane could not take in what Slurm says: " + problem)) {
          return;
        }
      }
    }
  }

  /** Tells what is wrong and waits a while; tells whether to go on. */
  private boolean rest(String why) {
    boolean fresh = status.problem().isEmpty() || status.failures() == 0;
    status = status.away(why, calls());
    again = true;
    try {
      if (fresh) {
        messages.accept("Slurm: " + why);
      }
      if (!source.isEmpty()) {
        tell(troubles.away(source, why, status.good()));
      }
      Thread.sleep(pause);
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
      return !closing;
    } catch (InterruptedException ending) {
      return false;
    } catch (ExecutionException | TimeoutException | RuntimeException busy) {
      return !closing;
    }
  }

  private void round()
      throws SlurmAway, InterruptedException, ExecutionException, TimeoutException {
    Instant now = clock.instant();
    if (!now.isBefore(nextIdentity)) {
      identify();
      nextIdentity = now.plus(IDENTITY);
    }
    if (again || !now.isBefore(nextRead)) {
      read();
    }
    Duration wait = Duration.between(clock.instant(), nextRead);
    List<ActionView> open = board.await(source, wait.isNegative() ? Duration.ZERO : wait);
    if (!open.isEmpty()) {
      if (!act(open)) {
        Thread.sleep(FIRST_PAUSE);
      }
      nextRead = later(Duration.ZERO);
    }
  }

  /** Which cluster it is; another than is expected, or than the journal's nodes are of, is none. */
  private void identify()
      throws SlurmAway, InterruptedException, ExecutionException, TimeoutException {
    Instant before = clock.instant();
    SlurmIdentity identity = commands.identity();
    again |= !identity.boot().equals(boot);
    boot = identity.boot();
    Duration half = Duration.between(before, clock.instant()).dividedBy(2);
    Optional<Duration> ahead =
        identity.time().map(it -> Duration.between(before.plus(half), it.plusMillis(500)));
    String name = Subject.UNSAFE.matcher(identity.cluster()).replaceAll("-");
    status = status.named(name, identity.version(), ahead);
    if (!settings.cluster().isEmpty() && !settings.cluster().equals(identity.cluster())) {
      throw new SlurmAway(
          "this is cluster %s, not %s as --slurm-cluster says; nothing is read or done"
              .formatted(identity.cluster(), settings.cluster()));
    }
    String other =
        state.nodes().stream()
            .flatMap(it -> it.scheduling().stream())
            .map(it -> it.scheduler())
            .filter(it -> !it.equals(Schedulers.PREFIX + name))
            .findFirst()
            .orElse("");
    if (!other.isEmpty() && settings.cluster().isEmpty()) {
      throw new SlurmAway(
          "the journal has nodes of %s, this is %s: give each cluster a journal of its own, or say --slurm-cluster %s if it took over"
              .formatted(other, Schedulers.PREFIX + name, identity.cluster()));
    }
    String now = Schedulers.PREFIX + name;
    if (!now.equals(source)) {
      source = now;
      epoch = state.cursor(source).epoch() + 1;
      again = true;
    }
    tell(troubles.clock(source, ahead));
  }

  private void read() throws SlurmAway, InterruptedException, ExecutionException, TimeoutException {
    Instant begun = clock.instant();
    long nanos = System.nanoTime();
    SlurmLooks.Look look = looks.look(status.cluster());
    Parsed<SlurmNode> nodes = look.nodes();
    if (nodes.items().isEmpty()) {
      throw new SlurmAway("no node in the answer; " + nodes.firstBroken());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - nanos);
    SlurmTeller teller = new SlurmTeller(state, source);
    if (!again && teller.undone(nodes.items())) {
      identify(); // by a person, or in a crash too short to be noticed?
    }
    List<Statement> news = new ArrayList<>(troubles.back(source));
    news.addAll(teller.jobs(look.jobs(), look.steps(), missed, begun));
    news.addAll(teller.nodes(nodes.items(), again));
    tell(news);
    again = false;
    int lifted = exclusions.lift(state, source, begun);
    if (settings.comments()) {
      new HealthComments(state, programs).write(nodes.items());
    }
    List<String> strangers =
        nodes.items().stream().map(SlurmNode::name).filter(it -> state.node(it).isEmpty()).toList();
    if (!status.problem().isEmpty()) {
      messages.accept(
          "Slurm %s: cluster %s, %d nodes, %d of them without an agent"
              .formatted(
                  status.version(), status.cluster(), nodes.items().size(), strangers.size()));
    }
    SlurmStatus before = status;
    status = status.read(look, strangers, begun, took, calls(), lifted);
    if (!look.restProblem().equals(before.restProblem())) {
      messages.accept(
          "Slurm: "
              + (look.restProblem().isEmpty()
                  ? "read by " + look.by()
                  : look.restProblem() + "; read by Slurm's programs"));
    }
    if (before.broken() == 0 && status.broken() > 0) {
      messages.accept(
          "Slurm: not all could be read, and is left as it was: " + status.firstBroken());
    }
    nextRead = later(moving() ? LIVELY : settings.interval());
  }

  private long calls() {
    return programs.calls() + looks.calls();
  }

  /** Not before it has rested from the last read. */
  private Instant later(Duration wanted) {
    Duration rest = status.took().multipliedBy(REST);
    return clock.instant().plus(rest.compareTo(wanted) > 0 ? rest : wanted);
  }

  /** Whether a node is on its way out, or a job on its way back. */
  private boolean moving() {
    Instant lately = clock.instant().minus(IN_MOTION);
    boolean node =
        state.notInService().stream()
            .filter(it -> it.service() == Service.DRAINING)
            .anyMatch(it -> it.serviceSince().isAfter(lately));
    return node
        || state.jobs().stream()
            .filter(it -> it.source().equals(source) && it.told().isAfter(lately))
            .map(it -> it.job().state())
            .anyMatch(
                it -> it == JobDescription.State.WAITING || it == JobDescription.State.STOPPING);
  }

  /**
   * In the order they were asked: a node is drained before its jobs are requeued. Tells whether all
   * are answered.
   */
  private boolean act(List<ActionView> open)
      throws SlurmAway, InterruptedException, ExecutionException, TimeoutException {
    List<Request> requests =
        open.stream()
            .map(ActionView::request)
            .sorted(Comparator.comparing(Request::id, Subject.NATURAL))
            .toList();
    boolean all = true;
    for (Request request : requests) {
      heartbeat.beat();
      SlurmHand.Outcome outcome = hand.carryOut(request);
      if (outcome.equals(SlurmHand.Outcome.NOT_YET)) {
        all = false;
        continue;
      }
      List<Statement> said = new ArrayList<>(seen(request));
      said.add(new Statement.Answered(request.id(), outcome.answer(), outcome.detail()));
      tell(said);
      messages.accept(
          "Slurm: %s %s: %s (%s)"
              .formatted(
                  request.kind().word(),
                  request.job().isEmpty() ? request.subject() : request.job(),
                  outcome.detail(),
                  outcome.answer().word()));
    }
    return all;
  }

  /** How the node is after it, and who is there: what is decided next must not be of before. */
  private List<Statement> seen(Request request) throws SlurmAway {
    List<Statement> seen = new ArrayList<>();
    boolean door = request.kind() == Request.Kind.CORDON || request.kind() == Request.Kind.UNCORDON;
    if (door && request.subject() instanceof Subject.Node(String name)) {
      SlurmTeller teller = new SlurmTeller(state, source);
      for (SlurmJob job : commands.jobsOn(name).items()) {
        teller
            .describe(job, List.of(), false, clock.instant())
            .filter(it -> state.job(it.job()).isEmpty())
            .map(Statement.JobTold::new)
            .ifPresent(seen::add);
      }
      commands.node(name).ifPresent(it -> seen.addAll(teller.nodes(List.of(it), false)));
    }
    return seen;
  }

  /** Has it taken in, durably. */
  private void tell(List<Statement> statements)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (int from = 0; from < statements.size(); from += GROUP) {
      Cursor cursor = state.cursor(source);
      long sequence = cursor.epoch() == epoch ? cursor.sequence() : 0;
      List<Report> reports = new ArrayList<>();
      for (Statement each : statements.subList(from, Math.min(statements.size(), from + GROUP))) {
        reports.add(new Report(source, epoch, ++sequence, clock.instant(), each));
      }
      var _ =
          engine
              .submit(new Input.Reported(source, reports))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    thread.interrupt();
    thread.join(END_MILLIS);
  }
}
