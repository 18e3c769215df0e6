package dev.holdfast.launch.report;

import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of a run's timeline must somebody know who goes on telling its story elsewhere? Of each
 * attempt when it began and ended, why, what was decided, and how far it came; no more than fits,
 * the oldest attempts left out first.
 *
 * <p>Times travel as time before now, so that the clocks of two machines are never compared.
 */
public final class Digest {
  /** Among a moment's details: that an earlier leader told of it. */
  public static final String TOLD = "told";

  static final int MOST_CHARACTERS = 48 << 10;
  private static final int MOST_OF_A_LIST = 64;
  private static final int SOME = 8;
  private static final int MOST_TEXT = 500;
  private static final String FAULT = "faultNanos";

  private static final Set<String> ONCE =
      Set.of(
          Kinds.ATTEMPT_PREPARED,
          Kinds.RANKS_STARTED,
          Kinds.FIRST_STEP,
          Kinds.DIAGNOSIS,
          Kinds.DECISION,
          Kinds.STOP_BEGUN,
          Kinds.STOPPED,
          Kinds.ATTEMPT_ENDED);
  private static final Set<String> SOMETIMES = Set.of(Kinds.STEP, Kinds.FINDING, Kinds.RANK_EXITED);

  private Digest() {}

  /** The moments that matter, their monotonic times less than zero: before now. */
  public static List<Moment> of(List<Moment> moments, long nowNanos) {
    TreeMap<Integer, List<Moment>> attempts = new TreeMap<>();
    Map<Integer, Moment> lastSteps = new HashMap<>();
    Map<String, Integer> counts = new HashMap<>();
    for (Moment moment : moments) {
      if (moment.attempt() >= 0) {
        boolean fits =
            counts.merge(moment.kind() + moment.attempt(), 1, Integer::sum) <= most(moment);
        if (fits) {
          attempts.computeIfAbsent(moment.attempt(), _ -> new ArrayList<>()).add(moment);
        } else if (moment.kind().equals(Kinds.STEP)) {
          lastSteps.put(moment.attempt(), moment);
        }
      }
    }
    lastSteps.forEach((attempt, last) -> attempts.getOrDefault(attempt, List.of()).add(last));
    return newest(attempts, nowNanos);
  }

  private static int most(Moment moment) {
    boolean ours = moment.kind().equals(Kinds.RANK_EXITED) && moment.flag("stoppedByUs");
    return ONCE.contains(moment.kind()) ? 1 : SOMETIMES.contains(moment.kind()) && !ours ? SOME : 0;
  }

  private static List<Moment> newest(TreeMap<Integer, List<Moment>> attempts, long nowNanos) {
    List<Moment> digest = new ArrayList<>();
    int left = MOST_CHARACTERS;
    for (List<Moment> attempt : attempts.descendingMap().values()) {
      List<Moment> told = attempt.stream().map(moment -> before(moment, nowNanos)).toList();
      left -= told.stream().mapToInt(moment -> Json.line(moment.json()).length() + 1).sum();
      if (left < 0) {
        break;
      }
      digest.addAll(0, told);
    }
    return digest;
  }

  private static Moment before(Moment moment, long nowNanos) {
    Map<String, @Nullable Object> details = new LinkedHashMap<>();
    moment.details().forEach((name, value) -> details.put(name, cut(name, value)));
    details.computeIfPresent(FAULT, (_, at) -> at instanceof Long nanos ? nanos - nowNanos : at);
    return new Moment(Instant.EPOCH, moment.monotonicNanos() - nowNanos, moment.kind(), details);
  }

  private static @Nullable Object cut(String name, @Nullable Object value) {
    return switch (value) {
      case String text when text.length() > MOST_TEXT -> text.substring(0, MOST_TEXT - 1) + "…";
      // A part of the members would be taken for all of them.
      case List<?> list when name.equals("members") ->
          list.size() <= MOST_OF_A_LIST ? list : List.of();
      case List<?> list -> list.stream().limit(MOST_OF_A_LIST).map(it -> cut("", it)).toList();
      case null, default -> value;
    };
  }

  /** The moments of a digest that arrived then, by the clocks of whom it came to. */
  public static List<Moment> arrived(List<Moment> digest, Instant at, long atNanos) {
    List<Moment> moments = new ArrayList<>();
    for (Moment told : digest) {
      Map<String, @Nullable Object> details = new LinkedHashMap<>(told.details());
      details.computeIfPresent(FAULT, (_, it) -> it instanceof Long nanos ? nanos + atNanos : it);
      details.put(TOLD, true);
      moments.add(
          new Moment(
              at.plus(Duration.ofNanos(told.monotonicNanos())),
              told.monotonicNanos() + atNanos,
              told.kind(),
              details));
    }
    return moments;
  }
}
