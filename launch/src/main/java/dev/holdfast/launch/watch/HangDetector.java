package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.text.Fields;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Does the job hang, and whom do the others wait for? Told all ranks once a second; calls a hang
 * once, and again only after the ranks it named went on in between.
 *
 * <p>A wrong call costs a running job, a late one some minutes, so it calls only what several signs
 * agree on:
 *
 * <ul>
 *   <li><b>Stopped.</b> A rank was stopped by a signal for 5 s, and not all were (that is a
 *       suspended job). Nothing else makes a rank stop, so this needs no patience.
 *   <li><b>Waited for.</b> No rank has made a step, and a few are quiet in every respect (steps,
 *       output, reading, writing, CPU) while every other behaves as one that waits. After {@code
 *       max(30 s, 3 × p99)} of the job's own pace, twice as long as anything that looked the same
 *       and was none. That is for a rank nothing outside could wake; one in a lock, as behind a
 *       data loader, gets two minutes, one in a poll five, also where signs are weak or the job's
 *       pace is not known yet, one in the middle of a read from a file or a socket twenty. Where
 *       its device is busy with most others', as in a collective, five minutes if it sleeps, else
 *       twenty; where its device alone is busy, thirty.
 *   <li><b>All silent.</b> Nothing is heard of any rank. It may be a compilation, an evaluation, a
 *       file system that stalls; so only after 20 minutes, 30 where some rank still works. A job
 *       that works, tells no steps and never wrote regularly is not called: it always looks so.
 * </ul>
 *
 * <p>Time in which nobody looked (a suspended node, a launcher that was stopped) or in which the
 * job was suspended or under a debugger does not count. What the job teaches about its pace is kept
 * over restarts: {@link #state}, {@link #resume}.
 *
 * <p>Not for several threads at once.
 */
public final class HangDetector {
  private static final double STOPPED_SECONDS = 5;
  private static final double LONGEST_LOOK_GAP = 5;
  private static final double WORTH_A_LOOK = 10;
  private static final long MOST_AT_ONCE = 16;
  private static final double PEERS_QUIET = 30;
  private static final double NEARLY = 0.8;
  private static final double PATIENT = 300;
  private static final double MAY_BE_A_LOADER = 120;
  private static final double SILENT = 1200;
  private static final double SILENT_BUT_BUSY = 1800;
  private static final double MOST_SILENCE_LEARNED = 10_800;

  private final HangRule rule;
  private final Learned learned;
  private final HangWords words;
  private final Map<Integer, RankTrack> tracks = new HashMap<>();
  private final List<RankTrack> ranks = new ArrayList<>();

  private double clock;
  private long lookedAt = Long.MIN_VALUE;
  private long front = -1;
  private double frontAt;
  private boolean frontMoved;
  private double signAt;
  private double outputAt;
  private Suspicion pending = Suspicion.NOBODY;
  private double pendingSeconds;
  private double silentSeconds;
  private List<RankTrack> called = List.of();
  private double calledAt = Double.NaN;
  private int takenBack;

  public HangDetector(HangRule rule) {
    this(rule, new Learned());
  }

  private HangDetector(HangRule rule, Learned learned) {
    this.rule = rule;
    this.learned = learned;
    this.words = new HangWords(learned);
  }

  /** With what an earlier detector of the same job had learned. */
  public static HangDetector resume(HangRule rule, Fields state) {
    return new HangDetector(rule, Learned.of(state));
  }

  /** What was learned about the job's pace, for {@link #resume}. */
  public Map<String, @Nullable Object> state() {
    return learned.json();
  }

  /**
   * Other processes run the ranks from now on; what was learned stays.
   *
   * @param nodeOf the node of each rank, empty text: not known
   */
  public void attemptBegins(IntFunction<String> nodeOf) {
    tracks.clear();
    words.nodes(nodeOf);
    front = -1;
    frontAt = clock;
    frontMoved = false;
    signAt = clock;
    outputAt = clock;
    lookedAt = Long.MIN_VALUE;
    pending = Suspicion.NOBODY;
    pendingSeconds = 0;
    silentSeconds = 0;
    called = List.of();
    calledAt = Double.NaN;
  }

  /** How often ranks that were called hung went on by themselves. */
  public int takenBack() {
    return takenBack;
  }

  /**
   * @param nowNanos of a clock that only goes forward
   * @param activities of all ranks of the job that were started and have not ended
   */
  public Optional<Diagnosis> look(long nowNanos, List<RankActivity> activities) {
    if (rule.mode() == HangRule.Mode.OFF) {
      return Optional.empty();
    }
    if (!advance(nowNanos, activities) || ranks.isEmpty()) {
      return Optional.empty();
    }
    learn();
    if (!Double.isNaN(calledAt)) {
      withdrawIfTheyWentOn();
      return Optional.empty();
    }
    Optional<Diagnosis> verdict = stopped();
    if (verdict.isEmpty()) {
      verdict = rule.mode() == HangRule.Mode.PLAIN ? plainlyQuiet() : quiet();
    }
    if (verdict.isPresent()) {
      calledAt = clock;
      List<Integer> named = verdict.get().ranks();
      called = ranks.stream().filter(rank -> named.contains(rank.last.rank())).toList();
    }
    return verdict;
  }

  /** Takes over the counters; whether the time since the last look counts. */
  private boolean advance(long nowNanos, List<RankActivity> activities) {
    double seconds = lookedAt == Long.MIN_VALUE ? 0 : (nowNanos - lookedAt) / 1e9;
    lookedAt = nowNanos;
    int stopped = 0;
    boolean traced = false;
    for (RankActivity activity : activities) {
      stopped += activity.state() == 'T' ? 1 : 0;
      traced |= activity.state() == 't';
    }
    boolean suspended = traced || (stopped > 0 && stopped == activities.size());
    boolean counts = seconds <= LONGEST_LOOK_GAP && !suspended;
    clock += counts ? seconds : 0;
    ranks.clear();
    boolean progress = false;
    boolean written = false;
    long reached = front;
    for (RankActivity activity : activities) {
      RankTrack track = tracks.get(activity.rank());
      if (track == null) {
        track = new RankTrack(activity, clock);
        tracks.put(activity.rank(), track);
      } else {
        String phase = track.last.phase();
        double phaseSince = track.phaseSince;
        track.update(activity, clock, seconds, counts);
        if (!phase.isEmpty() && !phase.equals(activity.phase()) && !Double.isNaN(phaseSince)) {
          learned.phaseEnded(phase, clock - phaseSince);
        }
      }
      if (track.alive()) {
        ranks.add(track);
        progress |= track.progressAt() >= clock;
        written |= track.outputAt >= clock;
        reached = Math.max(reached, activity.step() >= 0 ? activity.step() : activity.beats());
      }
    }
    paces(progress, written, reached);
    return counts;
  }

  private void paces(boolean progress, boolean written, long reached) {
    if (reached > front) {
      // Several steps between two looks each took less; the first of all is not like the others.
      long steps = front < 0 ? 0 : Math.min(reached - front, MOST_AT_ONCE) - (frontMoved ? 0 : 1);
      for (long i = 0; i < steps; i++) {
        learned.stepGaps.add(clock - frontAt);
      }
      frontMoved = front >= 0;
      front = reached;
      frontAt = clock;
    }
    if (progress && clock > signAt) {
      learned.signGaps.add(clock - signAt);
      signAt = clock;
    }
    if (written && clock > outputAt) {
      learned.written(clock - outputAt);
      outputAt = clock;
    }
  }

  private void learn() {
    double usual = learned.usualGap();
    if ((learned.knowsSteps() ? clock - frontAt : clock - signAt) > usual) {
      return;
    }
    int waiting = 0;
    int devices = 0;
    int still = 0;
    for (RankTrack rank : ranks) {
      waiting += rank.coresKnown() && rank.cores < 0.9 ? 1 : 0;
      devices += rank.deviceKnown() ? 1 : 0;
      still += rank.deviceIdle() ? 1 : 0;
    }
    learned.atWork(ranks.size(), waiting);
    learned.devicesAtWork(devices, still);
  }

  private void withdrawIfTheyWentOn() {
    boolean wentOn = false;
    for (RankTrack rank : called.isEmpty() ? ranks : called) {
      wentOn |= Double.isNaN(rank.stoppedSince) && rank.progressAt() > calledAt;
    }
    if (wentOn) {
      takenBack++;
      calledAt = Double.NaN;
      called = List.of();
    }
  }

  private Optional<Diagnosis> stopped() {
    List<RankTrack> stopped = new ArrayList<>();
    for (RankTrack rank : ranks) {
      if (rank.stoppedFor(clock) >= STOPPED_SECONDS) {
        stopped.add(rank);
      }
    }
    return stopped.isEmpty() ? Optional.empty() : Optional.of(words.stopped(stopped, ranks, clock));
  }

  private Optional<Diagnosis> plainlyQuiet() {
    double limit = rule.limit().toMillis() / 1e3;
    List<RankTrack> quiet =
        ranks.stream().filter(rank -> clock - rank.progressAt() >= limit).toList();
    if (quiet.isEmpty()) {
      return Optional.empty();
    }
    // Ranks that stopped together pass the limit one after the other.
    long nearly =
        ranks.stream().filter(rank -> clock - rank.progressAt() >= NEARLY * limit).count();
    Suspicion suspicion =
        nearly < ranks.size()
            ? new Suspicion(quiet, List.of(), 0)
            : new Suspects(ranks, clock, learned).any();
    return Optional.of(words.quiet(suspicion, ranks, clock, limit));
  }

  private Optional<Diagnosis> quiet() {
    double stepQuiet = Double.MAX_VALUE;
    double allQuiet = Double.MAX_VALUE;
    for (RankTrack rank : ranks) {
      stepQuiet = Math.min(stepQuiet, clock - rank.stepAt);
      allQuiet = Math.min(allQuiet, clock - rank.progressAt());
    }
    rememberSilence(allQuiet);
    if (stepQuiet < WORTH_A_LOOK / 2) {
      suspect(Suspicion.NOBODY, 0);
      return Optional.empty();
    }
    Optional<Diagnosis> verdict = waitedFor(allQuiet);
    return verdict.isPresent() ? verdict : silent(allQuiet);
  }

  private Optional<Diagnosis> waitedFor(double allQuiet) {
    Suspicion suspicion =
        ranks.size() > 1 ? new Suspects(ranks, clock, learned).blocked() : Suspicion.NOBODY;
    double quiet = suspicion.ranks().isEmpty() ? 0 : clock - suspicion.since();
    suspect(suspicion, quiet);
    if (suspicion.ranks().isEmpty()) {
      return Optional.empty();
    }
    double limit = limit(suspicion);
    boolean called = quiet >= limit && allQuiet >= Math.min(PEERS_QUIET, quiet / 2);
    if (!called && suspicion.strong() && learned.knowsSteps()) {
      // Lines that a side thread writes hide a hang for a while, not for ever.
      called = clock - suspicion.deafSince() >= Math.max(limit, SILENT);
    }
    return called ? Optional.of(words.quiet(suspicion, ranks, clock, limit)) : Optional.empty();
  }

  private double limit(Suspicion suspicion) {
    double limit = Math.max(rule.limit().toMillis() / 1e3, learned.paceLimit());
    Place place = suspicion.place();
    limit = Math.max(limit, Math.min(SILENT, 2 * learned.resolvedSuspicion(place)));
    boolean paceKnown = learned.knowsSteps() ? frontMoved : learned.knowsSigns();
    boolean asleep = place == Place.SLEEP;
    if (suspicion.deviceBusy()) {
      limit = Math.max(limit, mostDevicesBusy() ? asleep ? PATIENT : SILENT : SILENT_BUT_BUSY);
    }
    if (place == Place.TRANSFER) {
      limit = Math.max(limit, SILENT);
    } else if (!suspicion.strong() || place == Place.POLL || !paceKnown) {
      limit = Math.max(limit, PATIENT);
    } else if (!asleep) {
      limit = Math.max(limit, MAY_BE_A_LOADER);
    }
    return Math.max(limit, phaseLimit());
  }

  /** As in a collective that waits for somebody; one that is busy alone does work of its own. */
  private boolean mostDevicesBusy() {
    return 2 * ranks.stream().filter(rank -> rank.deviceBusyFor(clock) > 0).count() > ranks.size();
  }

  /** The longest any phase that a rank is in may take; 0 when there is none. */
  private double phaseLimit() {
    double limit = 0;
    for (RankTrack rank : ranks) {
      String phase = rank.last.phase();
      if (!phase.isEmpty()) {
        double usual = learned.phaseLimit(phase);
        limit = Math.max(limit, usual > 0 ? usual : SILENT);
      }
    }
    return limit;
  }

  private Optional<Diagnosis> silent(double allQuiet) {
    if (allQuiet < SILENT) {
      return Optional.empty();
    }
    double nothing = Double.MAX_VALUE;
    boolean devices = false;
    for (RankTrack rank : ranks) {
      devices |= rank.deviceBusyFor(clock) > 0;
      nothing = Math.min(nothing, Math.min(rank.idleFor(clock), clock - rank.lastLife()));
    }
    double usual = Math.min(MOST_SILENCE_LEARNED, 1.5 * learned.resolvedSilence());
    double least = Math.max(usual, phaseLimit());
    // Devices may work while nobody's cores do, or be caught in a collective: half as long again.
    double limit = Math.max(devices ? SILENT_BUT_BUSY : SILENT, least);
    boolean called = nothing >= limit;
    if (!called && (learned.knowsSteps() || learned.writesRegularly())) {
      limit = Math.max(Math.max(SILENT_BUT_BUSY, learned.silenceLimit()), least);
      called = allQuiet >= limit;
    }
    Suspects suspects = new Suspects(ranks, clock, learned);
    return called
        ? Optional.of(words.quiet(suspects.any(), ranks, clock, limit))
        : Optional.empty();
  }

  /** Keeps in mind how long somebody is suspected, and learns when it turns out wrong. */
  private void suspect(Suspicion suspicion, double quiet) {
    boolean same = !pending.ranks().isEmpty() && pending.ranks().equals(suspicion.ranks());
    if (!same && pendingSeconds >= WORTH_A_LOOK) {
      boolean wentOn = pending.ranks().stream().anyMatch(rank -> rank.progressAt() >= clock - 2);
      if (wentOn) {
        learned.suspicionResolved(pendingSeconds, pending.place());
      }
    }
    pending = suspicion;
    pendingSeconds = quiet;
  }

  private void rememberSilence(double allQuiet) {
    if (allQuiet < silentSeconds && silentSeconds >= SILENT / 4) {
      learned.silenceResolved(silentSeconds);
    }
    silentSeconds = allQuiet;
  }
}
