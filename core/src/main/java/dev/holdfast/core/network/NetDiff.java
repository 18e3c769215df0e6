package dev.holdfast.core.network;

import dev.holdfast.core.statistics.Change;
import dev.holdfast.core.statistics.MannWhitney;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Is the second run slower than the first, faster, or can nobody tell?
 *
 * <p>Each thing both runs measured is compared by its rounds, and all of them together: a round has
 * one score, the mean of how it did at every size. The score notices a small loss at all sizes, the
 * single comparisons a large one at one size. Whoever asks twenty questions gets an odd answer to
 * one by luck, so the single ones must be the more certain the more there are (Holm).
 *
 * <p>Everything here is turned so that more is better: what is judged by time counts as calls a
 * second.
 *
 * @param overall the scores; empty without rounds enough
 */
public record NetDiff(List<Row> rows, Optional<Scores> overall, Verdict verdict) {
  /**
   * One score a round, over all sizes.
   *
   * @param change from the first run to the second
   * @param before of each round of the first run
   * @param after the same of the second
   */
  public record Scores(Change change, List<Double> before, List<Double> after) {
    private static Scores of(double[] before, double[] after) {
      return new Scores(
          Change.between(before, after),
          Arrays.stream(before).boxed().toList(),
          Arrays.stream(after).boxed().toList());
    }
  }

  /**
   * One thing both runs measured.
   *
   * @param first the figure of the first run, as it is shown everywhere: GB/s or seconds
   * @param change how much better the rounds of the second are; its ratio is there even with too
   *     few rounds to tell. The middle of all pairs of rounds, so not that of the two figures
   * @param before every round of the first run, turned so that more is better
   * @param after the same of the second
   * @param needed luck may make a change like it so often at most: the less, the more rows are
   *     compared
   */
  public record Row(
      NetResult.Key key,
      double first,
      double second,
      Change change,
      List<Double> before,
      List<Double> after,
      double needed,
      Verdict verdict) {
    /** The second figure over the first, turned so that more is better. */
    public double ratio() {
      return key.collective().judgedByTime() ? first / second : second / first;
    }

    /** How many rounds the run with fewer has. */
    public int rounds() {
      return Math.min(before.size(), after.size());
    }

    /** The smallest loss that would have been noticed, as a share; not a number when none. */
    public double smallest() {
      return Change.smallestNoticed(array(before), array(after), needed);
    }

    /** How many rounds it takes before a change of this row can be told at all. */
    public int roundsNeeded() {
      return Change.roundsNeeded(needed);
    }

    /** Whatever the change, so few rounds cannot tell it among so many rows. */
    public boolean tooFewRounds() {
      return rounds() < Change.FEWEST
          || MannWhitney.smallestChance(before.size(), after.size()) > needed;
    }

    Map<String, @Nullable Object> tree() {
      return Json.map(
          "collective", key.collective().word(),
          "variant", key.variant(),
          "type", key.type(),
          "bytes", key.bytes(),
          "ranks", key.ranks(),
          "first", Latency.known(first),
          "second", Latency.known(second),
          "ratioOfFigures", Latency.known(ratio()),
          "ratio", Latency.known(change.ratio()),
          "ratioLow", rounds() < Change.FEWEST ? null : Latency.known(change.low()),
          "ratioHigh", rounds() < Change.FEWEST ? null : Latency.known(change.high()),
          "chance", change.chance(),
          "delta", change.delta(),
          "rounds", rounds(),
          "roundsNeeded", roundsNeeded(),
          "smallestNoticed", verdict == Verdict.CANNOT_TELL ? Latency.known(smallest()) : null,
          "verdict", verdict.words());
    }
  }

  public static NetDiff between(List<NetResult> first, List<NetResult> second) {
    Map<NetResult.Key, NetResult> later =
        NetResults.merged(second).stream()
            .collect(Collectors.toMap(NetResult::key, it -> it, (one, _) -> one));
    List<NetResult[]> pairs =
        NetResults.merged(first).stream()
            .filter(it -> later.containsKey(it.key()) && !it.figures().isEmpty())
            .map(it -> new NetResult[] {it, later.get(it.key())})
            .filter(it -> !it[1].figures().isEmpty())
            .toList();
    Optional<Scores> overall = overall(pairs);
    List<Row> rows =
        judged(
            pairs.stream().map(NetDiff::row).toList(),
            overall.filter(it -> it.change().told()).isPresent());
    return new NetDiff(rows, overall, verdict(rows, overall));
  }

  /**
   * The middle of what the rounds say of each: how much better the second is over all that was
   * compared.
   */
  public double ratio() {
    return Math.exp(
        rows.stream()
            .mapToDouble(it -> Math.log(it.change().ratio()))
            .filter(Double::isFinite)
            .average()
            .orElse(Double.NaN));
  }

  /**
   * The smallest loss over all sizes that would have been noticed; not a number when none. Where
   * there are no scores, at one size.
   */
  public double smallest() {
    if (overall.isPresent()) {
      return Change.smallestNoticed(array(overall.get().before()), array(overall.get().after()));
    }
    return rows.stream()
        .mapToDouble(Row::smallest)
        .filter(Double::isFinite)
        .min()
        .orElse(Double.NaN);
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "verdict", verdict.words(),
        "ratio", Latency.known(ratio()),
        "chance", overall.map(it -> it.change().chance()).orElse(null),
        "smallestNoticed", Latency.known(smallest()),
        "rows", rows.stream().map(Row::tree).toList());
  }

  private static Row row(NetResult[] pair) {
    double[] first = speeds(pair[0]);
    double[] second = speeds(pair[1]);
    Change change = Change.between(first, second);
    return new Row(
        pair[0].key(),
        pair[0].shown(),
        pair[1].shown(),
        change,
        Arrays.stream(first).boxed().toList(),
        Arrays.stream(second).boxed().toList(),
        Change.CHANCE,
        Verdict.CANNOT_TELL);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(it -> it).toArray();
  }

  private static double[] speeds(NetResult result) {
    boolean time = result.collective().judgedByTime();
    return result.figures().stream().mapToDouble(it -> time ? 1 / it : it).toArray();
  }

  /**
   * @param changed whether the scores tell already that something changed: the rows then only say
   *     where
   */
  private static List<Row> judged(List<Row> rows, boolean changed) {
    List<Row> byChance =
        rows.stream().sorted(Comparator.comparingDouble(it -> it.change().chance())).toList();
    List<Row> told = new ArrayList<>();
    double needed = Change.CHANCE;
    for (int i = 0; i < byChance.size(); i++) {
      Row row = byChance.get(i);
      needed = changed ? Change.CHANCE : Change.CHANCE / (byChance.size() - i);
      if (row.change().chance() > needed && !changed) {
        break;
      }
      if (row.change().told()) {
        told.add(row);
      }
    }
    double last = needed;
    return rows.stream()
        .map(
            it ->
                new Row(
                    it.key(),
                    it.first(),
                    it.second(),
                    it.change(),
                    it.before(),
                    it.after(),
                    last,
                    told.contains(it) ? direction(it.change()) : Verdict.CANNOT_TELL))
        .toList();
  }

  private static Verdict direction(Change change) {
    return change.ratio() < 1 ? Verdict.SLOWER : Verdict.FASTER;
  }

  /** Rounds as long as every size has them; the first run's middle is each size's measure. */
  private static Optional<Scores> overall(List<NetResult[]> pairs) {
    if (pairs.isEmpty()) {
      return Optional.empty();
    }
    int first = pairs.stream().mapToInt(it -> it[0].figures().size()).min().orElse(0);
    int second = pairs.stream().mapToInt(it -> it[1].figures().size()).min().orElse(0);
    if (first < Change.FEWEST || second < Change.FEWEST) {
      return Optional.empty();
    }
    double[] before = new double[first];
    double[] after = new double[second];
    for (NetResult[] pair : pairs) {
      double[] one = speeds(pair[0]);
      double[] other = speeds(pair[1]);
      double middle = Robust.median(one);
      for (int i = 0; i < first; i++) {
        before[i] += Math.log(one[i] / middle) / pairs.size();
      }
      for (int i = 0; i < second; i++) {
        after[i] += Math.log(other[i] / middle) / pairs.size();
      }
    }
    return Optional.of(
        Scores.of(
            Arrays.stream(before).map(Math::exp).toArray(),
            Arrays.stream(after).map(Math::exp).toArray()));
  }

  private static Verdict verdict(List<Row> rows, Optional<Scores> overall) {
    Optional<Verdict> scored =
        overall.map(Scores::change).filter(Change::told).map(NetDiff::direction);
    boolean slower = rows.stream().anyMatch(it -> it.verdict() == Verdict.SLOWER);
    boolean faster = rows.stream().anyMatch(it -> it.verdict() == Verdict.FASTER);
    if (slower || scored.equals(Optional.of(Verdict.SLOWER))) {
      return Verdict.SLOWER;
    }
    return faster || scored.isPresent() ? Verdict.FASTER : Verdict.CANNOT_TELL;
  }
}
