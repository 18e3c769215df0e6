package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.LogHistogram;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job has taught about its own pace: how long it usually goes without a step or a line, how
 * long its named phases last, and how long it once looked hung and was not. Kept over restarts.
 */
final class Learned {
  private static final int MOST_PHASES = 32;
  private static final int ENOUGH = 20;
  private static final int ENOUGH_PHASES = 3;

  /**
   * Of a rank that waits, how much of the usual work time may pass idle: side by side by a step.
   */
  private static final double SPINNER_IDLE_SHARE = 0.02;

  private static final double ENOUGH_SECONDS = 120;
  private static final double ENOUGH_WRITTEN = 3600;

  final LogHistogram stepGaps;
  final LogHistogram signGaps;
  private final Map<String, LogHistogram> phases = new LinkedHashMap<>();
  private final double[] resolved = new double[Place.values().length];
  private double resolvedSilence;
  private double idleRankSeconds;
  private double rankSeconds;
  private double stillDeviceSeconds;
  private double deviceSeconds;
  private double usualGap;
  private long gapsSeen;
  private double writtenSeconds;
  private double longestUnwritten;

  Learned() {
    this(new LogHistogram(), new LogHistogram());
  }

  private Learned(LogHistogram stepGaps, LogHistogram signGaps) {
    this.stepGaps = stepGaps;
    this.signGaps = signGaps;
  }

  /** A rank that looked hung in such a place for this long went on by itself. */
  void suspicionResolved(double seconds, Place place) {
    resolved[place.ordinal()] = Math.max(resolved[place.ordinal()], seconds);
  }

  /** All ranks were silent for this long and went on by themselves. */
  void silenceResolved(double seconds) {
    resolvedSilence = Math.max(resolvedSilence, seconds);
  }

  double resolvedSuspicion(Place place) {
    return resolved[place.ordinal()];
  }

  double resolvedSilence() {
    return resolvedSilence;
  }

  void phaseEnded(String phase, double seconds) {
    LogHistogram lengths = phases.get(phase);
    if (lengths == null) {
      if (phases.size() >= MOST_PHASES) {
        return;
      }
      lengths = new LogHistogram();
      phases.put(phase, lengths);
    }
    lengths.add(seconds);
  }

  /** Three times what the phase usually lasts; 0 when it was not seen often enough. */
  double phaseLimit(String phase) {
    LogHistogram lengths = phases.get(phase);
    return lengths == null || lengths.count() < ENOUGH_PHASES ? 0 : 3 * lengths.quantile(0.99);
  }

  /** Ranks at work, seen for a while: how many of them did nothing at the time. */
  void atWork(double ranksTimesSeconds, double ofThemIdle) {
    rankSeconds += ranksTimesSeconds;
    idleRankSeconds += ofThemIdle;
  }

  /**
   * Whether ranks of this job burn CPU while they wait, so that an idle one is out of the usual.
   */
  boolean waitsByTurning() {
    return rankSeconds >= ENOUGH_SECONDS && idleRankSeconds <= SPINNER_IDLE_SHARE * rankSeconds;
  }

  /** Devices of ranks at work, seen for a while: how many of them stood still at the time. */
  void devicesAtWork(double devicesTimesSeconds, double ofThemStill) {
    deviceSeconds += devicesTimesSeconds;
    stillDeviceSeconds += ofThemStill;
  }

  /**
   * Whether the devices of this job are busy whenever it goes on, those of ranks that wait in a
   * collective too, so that one that stands still is out of the usual.
   */
  boolean waitsOnDevice() {
    return deviceSeconds >= ENOUGH_SECONDS
        && stillDeviceSeconds <= SPINNER_IDLE_SHARE * deviceSeconds;
  }

  /** Some rank wrote a line, this long after the last. */
  void written(double seconds) {
    writtenSeconds += seconds;
    longestUnwritten = Math.max(longestUnwritten, seconds);
  }

  /** Whether silence of this job says anything: it wrote again and again over an hour. */
  boolean writesRegularly() {
    return writtenSeconds >= ENOUGH_WRITTEN && writtenSeconds >= 6 * longestUnwritten;
  }

  /** How long it must write nothing to be called silent, where only its output tells of it. */
  double silenceLimit() {
    return knowsSteps() ? 0 : 3 * longestUnwritten;
  }

  boolean knowsSteps() {
    return stepGaps.count() >= ENOUGH;
  }

  boolean knowsSigns() {
    return signGaps.count() >= ENOUGH;
  }

  /** Three times the usual gap between steps, or between lines if the job tells no steps. */
  double paceLimit() {
    return 3 * usualGap();
  }

  /** 99 of 100 gaps are no longer; pauses, four times as long as most gaps, do not count. */
  double usualGap() {
    LogHistogram gaps = knowsSteps() ? stepGaps : signGaps;
    if (gapsSeen != gaps.count()) {
      gapsSeen = gaps.count();
      usualGap = gaps.quantile(0.99, 4 * gaps.quantile(0.5));
    }
    return usualGap;
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> lengths = new LinkedHashMap<>();
    phases.forEach((name, histogram) -> lengths.put(name, histogram.json()));
    return Json.map(
        "stepGaps",
        stepGaps.json(),
        "signGaps",
        signGaps.json(),
        "phases",
        lengths,
        "resolvedSuspicionSeconds",
        resolvedByPlace(),
        "resolvedSilenceSeconds",
        resolvedSilence,
        "idleRankSeconds",
        idleRankSeconds,
        "rankSeconds",
        rankSeconds,
        "stillDeviceSeconds",
        stillDeviceSeconds,
        "deviceSeconds",
        deviceSeconds,
        "writtenSeconds",
        writtenSeconds,
        "longestUnwrittenSeconds",
        longestUnwritten);
  }

  private Map<String, @Nullable Object> resolvedByPlace() {
    Map<String, @Nullable Object> byPlace = new LinkedHashMap<>();
    for (Place place : Place.values()) {
      byPlace.put(place.name(), resolved[place.ordinal()]);
    }
    return byPlace;
  }

  static Learned of(Fields fields) {
    Learned learned =
        new Learned(
            LogHistogram.of(fields.object("stepGaps")), LogHistogram.of(fields.object("signGaps")));
    Fields phases = fields.object("phases");
    for (String name : phases.names()) {
      if (learned.phases.size() < MOST_PHASES) {
        learned.phases.put(name, LogHistogram.of(phases.object(name)));
      }
    }
    Fields resolved = fields.object("resolvedSuspicionSeconds");
    for (Place place : Place.values()) {
      learned.resolved[place.ordinal()] = resolved.decimal(place.name(), 0);
    }
    learned.resolvedSilence = fields.decimal("resolvedSilenceSeconds", 0);
    learned.idleRankSeconds = fields.decimal("idleRankSeconds", 0);
    learned.rankSeconds = fields.decimal("rankSeconds", 0);
    learned.stillDeviceSeconds = fields.decimal("stillDeviceSeconds", 0);
    learned.deviceSeconds = fields.decimal("deviceSeconds", 0);
    learned.writtenSeconds = fields.decimal("writtenSeconds", 0);
    learned.longestUnwritten = fields.decimal("longestUnwrittenSeconds", 0);
    return learned;
  }
}
