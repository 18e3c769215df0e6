package dev.holdfast.core.network;

import dev.holdfast.core.statistics.MedianInterval;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.statistics.TwoModes;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one benchmark said of one operation at one size, whoever measured it.
 *
 * <p>Tools disagree about units and about what they call bandwidth; here a GB is 10⁹ bytes, times
 * are seconds, and {@link Collective} alone says how bandwidths follow from them.
 *
 * @param variant what else tells it from its neighbours: {@code in-place}, {@code tcp ring}; may be
 *     empty. Results are compared only with those of the same variant
 * @param bytes the size as nccl-tests counts it: the whole buffer
 * @param ranks at least one
 * @param type of the elements, such as {@code float}; empty where it is not told or not a question
 * @param algbw GB/s; not a number where only a time is known
 * @param busbw GB/s; not a number where only a time is known
 * @param rounds the {@link #figure} of each round, in the order measured: what comparisons are made
 *     of. Empty where the source tells only one
 * @param wrong how many elements had a wrong value; negative where nobody checked
 */
public record NetResult(
    Collective collective,
    String variant,
    long bytes,
    int ranks,
    String type,
    double algbw,
    double busbw,
    Latency latency,
    List<Double> rounds,
    long wrong) {
  /** Nobody looked whether the values are right. */
  public static final long NOT_CHECKED = -1;

  public NetResult {
    rounds = List.copyOf(rounds);
    if (bytes < 0 || ranks < 1) {
      throw new IllegalArgumentException(bytes + " bytes, " + ranks + " ranks");
    }
  }

  /**
   * From the time of one call in each round; the median round makes the bandwidths, and is the time
   * they follow from.
   *
   * @param latency of the single calls
   */
  public static NetResult of(
      Collective collective,
      String variant,
      long bytes,
      int ranks,
      String type,
      Latency latency,
      long wrong,
      double... secondsOfRounds) {
    double seconds = Robust.median(secondsOfRounds);
    double algbw = collective.judgedByTime() ? Double.NaN : collective.algbw(bytes, ranks, seconds);
    List<Double> rounds =
        Arrays.stream(secondsOfRounds)
            .map(
                it ->
                    collective.judgedByTime()
                        ? it
                        : collective.algbw(bytes, ranks, it) * factor(collective, ranks))
            .boxed()
            .toList();
    return new NetResult(
        collective,
        variant,
        bytes,
        ranks,
        type,
        algbw,
        collective.busbw(algbw, ranks),
        latency.withMean(seconds),
        rounds,
        wrong);
  }

  /** The same, told apart from its neighbours in these words, too. */
  public NetResult among(String others) {
    return new NetResult(
        collective,
        (variant + " " + others).strip(),
        bytes,
        ranks,
        type,
        algbw,
        busbw,
        latency,
        rounds,
        wrong);
  }

  /** Whether anything goes from rank to rank; one rank alone has no bus bandwidth. */
  public boolean hasBus() {
    return collective.busFactor(ranks) > 0;
  }

  /** The bus bandwidth; of one rank, which has none, its algorithm bandwidth. */
  public double bandwidth() {
    return hasBus() ? busbw : algbw;
  }

  private static double factor(Collective collective, int ranks) {
    double factor = collective.busFactor(ranks);
    return factor == 0 ? 1 : factor;
  }

  /** What is compared: {@link #bandwidth} in GB/s, or seconds where only time says anything. */
  public double figure() {
    return collective.judgedByTime() ? latency.typical() : bandwidth();
  }

  /**
   * The one figure of all rounds that tables show: the bus bandwidth of the median time, or the
   * median time itself.
   */
  public double shown() {
    return collective.judgedByTime() || Double.isNaN(busbw)
        ? Robust.median(array(figures()))
        : bandwidth();
  }

  /** The rounds, or the one figure there is. */
  public List<Double> figures() {
    return rounds.isEmpty() && Double.isFinite(figure()) ? List.of(figure()) : rounds;
  }

  /** The time of one call in each round. */
  public List<Double> secondsOfRounds() {
    return collective.judgedByTime()
        ? rounds
        : rounds.stream().map(it -> bytes * factor(collective, ranks) / it / 1e9).toList();
  }

  /** Between which figures the median of all rounds that could be made is, and how surely. */
  public MedianInterval interval() {
    return MedianInterval.of(MedianInterval.USUAL, array(figures()));
  }

  /** The two kinds of rounds, where they come in two kinds. */
  public Optional<TwoModes> modes() {
    return TwoModes.of(array(rounds));
  }

  /** Messages a second; not a number where calls are no messages one after the other. */
  public double messageRate() {
    return switch (collective) {
      case BANDWIDTH, BIDIRECTIONAL, SEND_RECV -> bytes == 0 ? Double.NaN : algbw * 1e9 / bytes;
      default -> Double.NaN;
    };
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** What must be equal for two results to be about the same thing. */
  public Key key() {
    return new Key(collective, variant, bytes, ranks, type);
  }

  /** What was measured, without what came out. */
  public record Key(Collective collective, String variant, long bytes, int ranks, String type) {}

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "collective",
        collective.word(),
        "variant",
        variant.isEmpty() ? null : variant,
        "bytes",
        bytes,
        "ranks",
        ranks,
        "type",
        type.isEmpty() ? null : type,
        "algbw",
        Latency.known(algbw),
        "busbw",
        Latency.known(busbw),
        "latency",
        latency.equals(Latency.UNKNOWN) ? null : latency.tree(),
        "rounds",
        rounds.isEmpty() ? null : rounds,
        "interval",
        rounds.size() < 2 ? null : interval().tree(),
        "modes",
        modes().map(TwoModes::tree).orElse(null),
        "messagesPerSecond",
        Latency.known(messageRate()),
        "wrong",
        wrong < 0 ? null : wrong);
  }

  /** What {@link #tree} made; anything else is an {@link IllegalArgumentException}. */
  public static NetResult read(Fields fields) {
    String word = fields.text("collective");
    return new NetResult(
        Collective.named(word)
            .orElseThrow(() -> new IllegalArgumentException("no collective: '" + word + "'")),
        fields.text("variant", ""),
        fields.number("bytes"),
        fields.integer("ranks"),
        fields.text("type", ""),
        fields.decimal("algbw", Double.NaN),
        fields.decimal("busbw", Double.NaN),
        fields.has("latency") ? Latency.read(fields.object("latency")) : Latency.UNKNOWN,
        // Of one rank, bus bandwidths were kept once, which are 0.
        fields.decimals("rounds").stream().allMatch(it -> it == 0)
            ? List.of()
            : fields.decimals("rounds"),
        fields.number("wrong", NOT_CHECKED));
  }
}
