package dev.holdfast.control.replay;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.state.DecisionView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.policy.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What would another policy have decided on the recorded history? The history is decided twice
 * more, by the policy that held and by the new one, so that what a repetition cannot know (see
 * {@link Rerun}) is the same on both sides; how many of the recorded decisions the first of the two
 * makes again is told with the answer.
 */
public final class PolicyReplay {
  private final Recorded recorded = new Recorded();
  private final Rerun before;
  private final Rerun after;
  private Optional<Instant> from = Optional.empty();
  private Instant until = Instant.EPOCH;
  private long batches;

  /**
   * @param first what held until the record says that another policy was set
   * @param reader of policies in the record
   * @param other the new one
   */
  public PolicyReplay(Policy first, Function<String, Policy> reader, Policy other) {
    this.before = new Rerun(first, Optional.of(reader), recorded);
    this.after = new Rerun(other, Optional.empty(), recorded);
  }

  /** The next of the recorded batches. */
  public void add(Batch batch) {
    from = from.isEmpty() ? Optional.of(batch.at()) : from;
    until = batch.at();
    batches++;
    recorded.add(batch);
    before.add(batch);
    after.add(batch);
    recorded.forget(batch);
  }

  public Comparison compare() {
    before.end();
    after.end();
    List<Difference> differences = new ArrayList<>();
    Set<Origin> origins = new LinkedHashSet<>(before.ledger().incidents().keySet());
    origins.addAll(after.ledger().incidents().keySet());
    origins.forEach(it -> compare(it, differences));
    differences.sort(Comparator.comparing(Difference::at));
    return new Comparison(
        from.orElse(until),
        until,
        batches,
        recorded.own().size(),
        reproduced(),
        after.unmatchedWishes(),
        summary(before),
        summary(after),
        differences);
  }

  private void compare(Origin origin, List<Difference> differences) {
    List<DecisionView> old = decisions(before, origin);
    List<DecisionView> fresh = decisions(after, origin);
    for (int i = 0; i < Math.max(old.size(), fresh.size()); i++) {
      Optional<DecisionView> one = at(old, i);
      Optional<DecisionView> other = at(fresh, i);
      Optional<Choice> was = one.map(Choice::of);
      Optional<Choice> is = other.map(Choice::of);
      boolean same = was.isPresent() && is.isPresent() && was.get().same(is.get());
      if (!same) {
        DecisionView shown = one.or(() -> other).orElseThrow();
        differences.add(
            new Difference(
                shown.at(),
                recorded.incident(origin).orElse(""),
                cause(one.isPresent() ? before : after, shown),
                shown.made().subject(),
                was,
                is,
                one.map(it -> before.ledger().cost(it.id())).orElse(Cost.NOTHING),
                other.map(it -> after.ledger().cost(it.id())).orElse(Cost.NOTHING)));
      }
    }
  }

  private static String cause(Rerun run, DecisionView decision) {
    return run.state()
        .incident(decision.made().incident())
        .map(it -> it.cause().toString())
        .orElse("");
  }

  private static Optional<DecisionView> at(List<DecisionView> list, int i) {
    return i < list.size() ? Optional.of(list.get(i)) : Optional.empty();
  }

  private static List<DecisionView> decisions(Rerun run, Origin origin) {
    return Optional.ofNullable(run.ledger().incidents().get(origin))
        .flatMap(run.state()::incident)
        .map(IncidentView::decisions)
        .orElse(List.of())
        .stream()
        .flatMap(it -> run.state().decision(it).stream())
        .toList();
  }

  private static Comparison.Summary summary(Rerun run) {
    return new Comparison.Summary(
        (int)
            run.state().decisions().stream()
                .filter(it -> it.made().actor().equals(Decider.SELF))
                .count(),
        run.ledger().takenOut(),
        run.ledger().restarts(),
        run.ledger().total());
  }

  /** Decisions of the record that the first run makes too, each counted once. */
  private int reproduced() {
    Map<List<Object>, Integer> made = new HashMap<>();
    before
        .ledger()
        .incidents()
        .keySet()
        .forEach(
            origin ->
                decisions(before, origin)
                    .forEach(it -> made.merge(key(origin, it.made()), 1, Integer::sum)));
    int count = 0;
    for (var decided : recorded.own()) {
      Optional<List<Object>> key =
          recorded.origin(decided.incident()).map(origin -> key(origin, decided));
      if (key.isPresent() && made.merge(key.get(), -1, Integer::sum) >= 0) {
        count++;
      }
    }
    return count;
  }

  private static List<Object> key(
      Origin origin, dev.holdfast.control.entry.DecisionEntry.Decided made) {
    return List.of(origin, made.rung(), made.subject(), made.stand());
  }
}
