package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.ExitCodes;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Forensics;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.forensics.RestartHistory;
import dev.holdfast.core.forensics.RestartPolicy;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.action.ActionSpec;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.OnHang;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.rendezvous.Judge;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.tell.Checkpoints;
import dev.holdfast.launch.tell.LeavePlan;
import dev.holdfast.launch.watch.HangDetector;
import dev.holdfast.launch.watch.HangRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the leader of a job thinks: is a rank hung, why did one fail, and what now. Only the
 * rendezvous calls it, on its one thread; what it finds goes to the timeline.
 */
final class RunJudge implements Judge {
  private static final long STEP_SAMPLE_NANOS = 2_000_000_000L;
  private static final long KEEP_NANOS = 60_000_000_000L;

  private final JobSpec spec;
  private final RunLog log;
  private final ActionChain actions;
  private final WaitsAtStore waits;
  private final Consumer<Diagnosis> collect;
  private final Consumer<String> keep;
  private HangDetector detector;
  private final RestartPolicy policy;
  private final StragglerWatch stragglers;
  private final Map<Integer, Long> firstSteps = new HashMap<>();
  private final Handover handover = new Handover();
  private RestartHistory history = RestartHistory.NONE;
  private int attempt = -1;
  private int knownAttempt = -1;
  private int decidedAttempt = -1;
  private @Nullable Decision decision;
  private long keptNanos;
  private long begunNanos;
  private long firstStepNanos;
  private long bestStep = -1;
  private long advancedNanos;
  private long sampledNanos;
  private volatile List<RankActivity> seen = List.of();
  private volatile @Nullable Assignment watched;
  private final Checkpoints checkpoints = new Checkpoints();
  private final LeavePlan leaving = new LeavePlan();
  private final BiConsumer<Integer, Decision> decided;
  private long faultNanos;

  /**
   * @param collect asks for evidence of a hang that is only told about
   * @param keep has this held for {@link #resume}
   * @param decided hears of each decision and the attempt it ends
   */
  RunJudge(
      JobSpec spec,
      RunLog log,
      ActionChain actions,
      WaitsAtStore waits,
      Consumer<Diagnosis> collect,
      Consumer<String> keep,
      BiConsumer<Integer, Decision> decided) {
    this.keep = keep;
    this.decided = decided;
    this.spec = spec;
    this.actions = actions;
    this.log = log;
    this.stragglers = new StragglerWatch(log);
    this.waits = waits;
    this.collect = collect;
    this.detector = new HangDetector(HangRule.parse(spec.watching().hang()));
    this.policy =
        new RestartPolicy(
            spec.ending().maxRestarts(),
            RestartPolicy.DEFAULT_DECAY,
            spec.ending().distinctCodes() ? ExitCodes.DISTINCT : ExitCodes.PLAIN);
  }

  /** Goes on with what an earlier process had learned and decided; before anybody asks. */
  void resume(String kept) {
    Fields state = Fields.of("judge", Json.object(kept));
    history = RestartHistory.of(state.object("history"));
    detector =
        HangDetector.resume(HangRule.parse(spec.watching().hang()), state.object("detector"));
    knownAttempt = state.integer("attempt");
    begunNanos = state.number("begunNanos");
    firstStepNanos = state.number("firstStepNanos");
    bestStep = state.number("bestStep");
    decidedAttempt = state.integer("decidedAttempt", -1);
    decision = state.has("decision") ? Decision.of(state.object("decision")) : null;
    handover.resume(state.object("handover"));
    leaving.resume(state.objects("leaving"));
  }

  private void keep(long now) {
    keptNanos = now;
    keep.accept(
        Json.line(
            Json.map(
                "history",
                history.json(),
                "detector",
                detector.state(),
                "attempt",
                knownAttempt,
                "begunNanos",
                begunNanos,
                "firstStepNanos",
                firstStepNanos,
                "bestStep",
                bestStep,
                "decidedAttempt",
                decidedAttempt,
                "decision",
                decision == null ? null : decision.json(),
                "handover",
                handover.json(),
                "leaving",
                leaving.json())));
  }

  @Override
  public List<String> tell() {
    return Handover.texts(history, log.moments(), System.nanoTime());
  }

  @Override
  public void told(int newest, List<String> texts) {
    long now = System.nanoTime();
    try {
      handover.told(newest, texts, Instant.now(), now);
      keep(now);
    } catch (IllegalArgumentException unreadable) {
      log.moment(Kinds.TROUBLE, "what", "what the leader told: " + unreadable.getMessage());
    }
  }

  @Override
  public long step(int which) {
    return which == attempt ? bestStep : -1;
  }

  @Override
  public void stepped(int which, long step) {
    handover.stepped(which, step, System.nanoTime());
  }

  /** What this launcher decided itself and nobody heard of does not count. */
  @Override
  public void takeOver(Assignment newest) {
    history = handover.history();
    decidedAttempt = -1;
    decision = null;
    if (newest.attempt() != knownAttempt && newest.attempt() == handover.attempt()) {
      knownAttempt = newest.attempt();
      begunNanos = handover.begunNanos();
      firstStepNanos = handover.firstStepNanos();
      bestStep = handover.bestStep();
      advancedNanos = handover.advancedNanos();
    }
    log.inherit(handover.story(newest));
    keep(System.nanoTime());
  }

  @Override
  public void missed(int attempts) {
    history = history.using(attempts);
  }

  @Override
  public Optional<Diagnosis> look(Assignment assignment, List<RankActivity> ranks) {
    long now = System.nanoTime();
    follow(assignment, now);
    seen = withWaits(ranks);
    steps(now);
    checkpoints.look(seen, Instant.now());
    stragglers.second(seen);
    if (now - keptNanos >= KEEP_NANOS) {
      keep(now);
    }
    Optional<Diagnosis> hang = detector.look(now, seen);
    if (hang.isEmpty()) {
      return leaving.due(checkpoints.complete()).map(this::leave);
    }
    if (spec.watching().onHang() == OnHang.RESTART
        || actions.wants(ActionSpec.Kind.RESTART, hang.get())) {
      return hang;
    }
    log.finding(attempt, "degraded", sentence(hang.get()));
    hang.get().evidence().forEach(line -> log.say("  " + line));
    log.say("  the job is left alone; --on-hang restart would start it again");
    actions.begin(ActionSpec.Event.FAILURE, attempt, hang.get(), null);
    if (spec.watching().onHang() == OnHang.DUMP
        || actions.wants(ActionSpec.Kind.STACKS, hang.get())) {
      collect.accept(hang.get());
    }
    return Optional.empty();
  }

  /** Interrupts the attempt to go on without a node, because the control plane asked to. */
  private Diagnosis leave(LeavePlan.Leave leave) {
    faultNanos = System.nanoTime();
    return new Diagnosis(
        FailureClass.PREEMPTION,
        List.of(),
        leave.node(),
        1,
        "The control plane asked to leave " + leave.node() + ": " + leave.why(),
        List.of(),
        bestStep);
  }

  @Override
  public List<String> avoided() {
    return leaving.nodes();
  }

  /** The nodes this job was asked to leave. */
  LeavePlan leaving() {
    return leaving;
  }

  Checkpoints checkpoints() {
    return checkpoints;
  }

  /** The attempt it last looked at; none before the first. */
  Optional<Assignment> watched() {
    return Optional.ofNullable(watched);
  }

  private void follow(Assignment assignment, long now) {
    watched = assignment;
    if (assignment.attempt() != attempt) {
      checkpoints.again();
      leaving.nodes().stream()
          .filter(node -> assignment.nodeRank(node).isEmpty())
          .forEach(leaving::left);
      attempt = assignment.attempt();
      if (attempt != knownAttempt) {
        knownAttempt = attempt;
        begunNanos = now;
        firstStepNanos = 0;
        bestStep = -1;
        advancedNanos = 0;
      }
      firstSteps.clear();
      stragglers.attemptBegins(assignment);
      detector.attemptBegins(rank -> assignment.memberOf(rank).node());
      keep(now);
    }
  }

  private List<RankActivity> withWaits(List<RankActivity> ranks) {
    Map<Integer, String> keys = waits.now(attempt);
    if (keys.isEmpty()) {
      return ranks;
    }
    List<RankActivity> with = new ArrayList<>(ranks.size());
    for (RankActivity rank : ranks) {
      String key = keys.get(rank.rank());
      with.add(key == null ? rank : rank.waiting(key));
    }
    return with;
  }

  private void steps(long now) {
    for (RankActivity rank : seen) {
      if (rank.step() >= 0) {
        if (firstSteps.putIfAbsent(rank.rank(), rank.step()) == null
            && !log.noted(Kinds.FIRST_STEP, attempt, rank.rank())) {
          log.moment(
              Kinds.FIRST_STEP, "attempt", attempt, "rank", rank.rank(), "step", rank.step());
          if (firstStepNanos == 0) {
            firstStepNanos = now;
            keep(now);
          }
        }
        advancedNanos = rank.step() > bestStep ? now : advancedNanos;
        bestStep = Math.max(bestStep, rank.step());
      }
    }
    if (bestStep >= 0 && now - sampledNanos >= STEP_SAMPLE_NANOS) {
      sampledNanos = now;
      log.moment(Kinds.STEP, "attempt", attempt, "step", bestStep);
    }
  }

  /** All ranks of the job as last looked at. */
  List<RankActivity> seen() {
    return seen;
  }

  @Override
  public Diagnosis diagnose(Assignment assignment, List<RankEvidence> failed) {
    follow(assignment, System.nanoTime());
    Diagnosis diagnosis = Forensics.diagnose(failed);
    faultNanos =
        failed.stream()
            .filter(rank -> diagnosis.ranks().contains(rank.rank()))
            .mapToLong(RunJudge::nanos)
            .min()
            .orElse(System.nanoTime());
    return diagnosis;
  }

  @Override
  public Decision decide(Assignment assignment, Diagnosis diagnosis, int spares) {
    long now = System.nanoTime();
    follow(assignment, now);
    Decision before = decision;
    if (before != null && decidedAttempt == attempt) {
      // An earlier process decided so, and ended before the others knew.
      return before;
    }
    // A node that went silent went with the last step seen, not when that was noticed.
    faultNanos = faultNanos == 0 ? advancedNanos : faultNanos;
    told(Kinds.DIAGNOSIS, diagnosis.json());
    log.found(sentence(diagnosis));
    diagnosis.evidence().forEach(line -> log.say("  " + line));
    bestStep = Math.max(bestStep, diagnosis.step());
    Duration ran = Duration.ofNanos(now - begunNanos);
    Duration trained = firstStepNanos == 0 ? ran : Duration.ofNanos(now - firstStepNanos);
    RestartPolicy.Verdict verdict =
        policy.decide(
            diagnosis,
            new RestartPolicy.Effort(ran, trained, bestStep),
            new RestartPolicy.Room(assignment.members().size(), spec.team().minNodes(), spares),
            history);
    history = verdict.history();
    decision = verdict.decision();
    decidedAttempt = attempt;
    keep(now);
    told(Kinds.DECISION, verdict.decision().json());
    decided.accept(attempt, verdict.decision());
    log.moment(Kinds.ATTEMPT_ENDED, "attempt", attempt, "outcome", "failed");
    actions.begin(ActionSpec.Event.FAILURE, attempt, diagnosis, verdict.decision());
    if (verdict.decision().choice() == Decision.Choice.RESTART) {
      actions.begin(ActionSpec.Event.RESTART, attempt, diagnosis, verdict.decision());
    }
    return verdict.decision();
  }

  private void told(String kind, Map<String, @Nullable Object> fields) {
    Map<String, @Nullable Object> details = new LinkedHashMap<>(fields);
    details.put("attempt", attempt);
    if (kind.equals(Kinds.DIAGNOSIS) && faultNanos != 0) {
      details.put("faultNanos", faultNanos);
      faultNanos = 0;
    }
    log.moment(kind, details);
  }

  static String sentence(Diagnosis diagnosis) {
    return diagnosis.what()
        + " (%s, %.0f %% sure)".formatted(diagnosis.kind().word(), diagnosis.confidence() * 100);
  }

  /** When it ended, by our own clock for durations. */
  private static long nanos(RankEvidence rank) {
    long ago = Math.clamp(System.currentTimeMillis() - rank.atMillis(), 0, 60_000);
    return System.nanoTime() - Duration.ofMillis(ago).toNanos();
  }
}
