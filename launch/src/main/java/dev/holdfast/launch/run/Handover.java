package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.RestartHistory;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.rendezvous.Judge;
import dev.holdfast.launch.report.Digest;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.supervise.KeptText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What does the leader of a job pass on to the next one, and what has this launcher heard of those
 * before it? The history of restarts and a digest of the timeline go to all launchers with each new
 * attempt, how far that is with each word of the leader; who takes over goes on from there.
 */
final class Handover {
  private List<String> texts = List.of();
  private RestartHistory history = RestartHistory.NONE;
  private List<Moment> story = List.of();
  private int attempt = -1;
  private Instant begun = Instant.EPOCH;
  private long begunNanos;
  private long firstStep = -1;
  private long firstStepNanos;
  private long bestStep = -1;
  private long advancedNanos;

  /** What the others are to know. */
  static List<String> texts(RestartHistory history, List<Moment> timeline, long nowNanos) {
    List<String> whole = parts(history, Digest.of(timeline, nowNanos));
    return whole.size() <= Judge.MOST_TOLD ? whole : parts(history, List.of());
  }

  private static List<String> parts(RestartHistory history, List<Moment> story) {
    return KeptText.parts(
        Json.line(
            Json.map(
                "history", history.json(), "story", story.stream().map(Moment::json).toList())));
  }

  /**
   * A new attempt begins, and this was told with it.
   *
   * @throws IllegalArgumentException if it is not what {@link #texts} gave; nothing is changed
   */
  void told(int newest, List<String> parts, Instant at, long nanos) {
    if (!parts.isEmpty()) {
      Map<String, @Nullable Object> tree = Json.object(KeptText.text(parts));
      RestartHistory heard = RestartHistory.of(Fields.of("told", tree).object("history"));
      story = Digest.arrived(moments(tree.get("story")), at, nanos);
      history = heard;
    }
    texts = parts;
    if (attempt != newest) {
      attempt = newest;
      begun = at;
      begunNanos = nanos;
      firstStep = -1;
      firstStepNanos = 0;
      bestStep = -1;
      advancedNanos = 0;
    }
  }

  private static List<Moment> moments(@Nullable Object list) {
    List<Moment> moments = new ArrayList<>();
    if (list instanceof List<?> elements) {
      for (Object element : elements) {
        if (element instanceof Map<?, ?> map) {
          Map<String, @Nullable Object> tree = new LinkedHashMap<>();
          map.forEach((name, value) -> tree.put(String.valueOf(name), value));
          moments.add(Moment.of(tree));
        }
      }
    }
    return moments;
  }

  /** By the word of the leader. */
  void stepped(int which, long step, long nanos) {
    if (which == attempt && step > bestStep) {
      if (firstStep < 0) {
        firstStep = step;
        firstStepNanos = nanos;
      }
      bestStep = step;
      advancedNanos = nanos;
    }
  }

  /** The newest attempt it heard of, −1: none. */
  int attempt() {
    return attempt;
  }

  RestartHistory history() {
    return history;
  }

  long begunNanos() {
    return begunNanos;
  }

  /** When it first heard of a step, 0: never. */
  long firstStepNanos() {
    return firstStepNanos;
  }

  long bestStep() {
    return bestStep;
  }

  /** When it last heard of a further step, 0: never. */
  long advancedNanos() {
    return advancedNanos;
  }

  /** What happened before this launcher led, by its own clocks; it may know part of it itself. */
  List<Moment> story(Assignment newest) {
    List<Moment> whole = new ArrayList<>(story);
    if (newest.attempt() == attempt) {
      whole.add(moment(begunNanos, Kinds.ATTEMPT_PREPARED, AttemptDetails.of(newest)));
      if (firstStep >= 0) {
        whole.add(step(firstStepNanos, Kinds.FIRST_STEP, firstStep));
        whole.add(step(advancedNanos, Kinds.STEP, bestStep));
      }
    }
    return whole;
  }

  private Moment step(long nanos, String kind, long step) {
    return moment(nanos, kind, Json.map("attempt", attempt, "step", step, Digest.TOLD, true));
  }

  private Moment moment(long nanos, String kind, Map<String, @Nullable Object> details) {
    return new Moment(begun.plusNanos(nanos - begunNanos), nanos, kind, details);
  }

  /** What the next process of this launcher needs. */
  Map<String, @Nullable Object> json() {
    return Json.map(
        "texts",
        texts,
        "attempt",
        attempt,
        "begunMillis",
        begun.toEpochMilli(),
        "begunNanos",
        begunNanos);
  }

  void resume(Fields kept) {
    told(
        kept.integer("attempt"),
        kept.texts("texts"),
        Instant.ofEpochMilli(kept.number("begunMillis")),
        kept.number("begunNanos"));
  }
}
