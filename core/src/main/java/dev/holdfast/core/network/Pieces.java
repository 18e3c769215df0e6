package dev.holdfast.core.network;

import dev.holdfast.core.statistics.MedianInterval;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One large call or many small ones of the same total? Rows from the largest piece to the smallest;
 * the first is the whole at once. Times are compared within each round, so that what made a whole
 * round slow makes no difference.
 */
public record Pieces(long total, List<Row> rows) {
  /** Less than this nobody plans for. */
  private static final double MATTERS = 0.05;

  /** From here on the cost of calls shows. */
  private static final double SHOWS = 0.1;

  /** Luck may favour one of all the sizes so often. */
  private static final double LUCK = 0.05;

  /**
   * The total in pieces of one size.
   *
   * @param seconds that all pieces take, in the median round
   * @param ratio to the time of the one large call; below 1 the pieces are faster
   * @param low the ratio is at least that, going by the rounds
   */
  public record Row(
      NetResult result, long count, double seconds, double ratio, double low, double high) {
    Map<String, @Nullable Object> tree() {
      return Json.map(
          "pieceBytes",
          result.bytes(),
          "count",
          count,
          "algorithm",
          result.variant(),
          "seconds",
          seconds,
          "ratio",
          ratio,
          "low",
          low,
          "high",
          high,
          "busbw",
          Latency.known(result.busbw()),
          "wrong",
          result.wrong() < 0 ? null : result.wrong());
    }
  }

  public Pieces {
    rows = List.copyOf(rows);
    if (rows.isEmpty() || rows.getFirst().count() != 1) {
      throw new IllegalArgumentException("the whole at once was not measured");
    }
  }

  /** From results of the same collective and the same rounds, one for each size of pieces. */
  public static Pieces of(long total, List<NetResult> results) {
    List<NetResult> sorted =
        results.stream().sorted(Comparator.comparingLong(NetResult::bytes).reversed()).toList();
    NetResult whole = sorted.getFirst();
    double sure = sure(sorted.size());
    return new Pieces(
        total,
        sorted.stream()
            .map(
                it -> {
                  double[] ratios = ratios(it, whole);
                  MedianInterval interval = MedianInterval.of(sure, ratios);
                  long count = total / it.bytes();
                  return new Row(
                      it,
                      count,
                      count * it.latency().mean(),
                      Robust.median(ratios),
                      interval.low(),
                      interval.high());
                })
            .toList());
  }

  /** The more sizes are tried, the surer each must be; and only one side of it is asked about. */
  private static double sure(int sizes) {
    return 1 - 2 * LUCK / Math.max(1, sizes - 1);
  }

  /** The time of one over the time of the other for as many bytes, round by round. */
  private static double[] ratios(NetResult one, NetResult other) {
    // Bytes and ranks being equal, times are as bus bandwidths are, the other way round.
    return IntStream.range(0, Math.min(one.rounds().size(), other.rounds().size()))
        .mapToDouble(i -> other.rounds().get(i) / one.rounds().get(i))
        .toArray();
  }

  /** For the ledger: a piece is not what a whole buffer of its size is. */
  public List<NetResult> results() {
    return rows.stream().map(it -> it.result().among("of " + Bytes.of(total))).toList();
  }

  /** The fastest way. */
  public Row best() {
    return rows.stream().min(Comparator.comparingDouble(Row::ratio)).orElseThrow();
  }

  /** Whether there are rounds enough to tell a difference from luck. */
  public boolean tells() {
    return rounds() >= roundsNeeded(rows.size());
  }

  public int rounds() {
    return rows.getFirst().result().rounds().size();
  }

  /** So many rounds all say the same by luck rarely enough. */
  public static int roundsNeeded(int sizes) {
    return (int) Math.ceil(1 - Math.log(1 - sure(sizes)) / Math.log(2));
  }

  /** Whether the fastest way beats the one large call, and not by luck. */
  public boolean piecesWin() {
    return tells() && best().high() < 1 && best().ratio() <= 1 - MATTERS;
  }

  /** The largest piece from which on down every size is slower than the best, and not by luck. */
  public Optional<Row> costShowsFrom() {
    Optional<Row> from = Optional.empty();
    for (Row row : rows.reversed()) {
      double[] ratios = ratios(row.result(), best().result());
      MedianInterval interval = MedianInterval.of(sure(rows.size()), ratios);
      if (!tells()
          || !(interval.low() > 1 && Robust.median(ratios) > 1 + SHOWS)
          || row.count() == 1) {
        return from;
      }
      from = Optional.of(row);
    }
    return from;
  }

  /** What each call costs beside its bytes, in seconds, by the smallest pieces. */
  public double costOfCall() {
    Row smallest = rows.getLast();
    return Math.max(0, (smallest.seconds() - best().seconds()) / smallest.count());
  }

  public String words() {
    Row whole = rows.getFirst();
    Row best = best();
    if (!tells()) {
      return "%s cannot tell a difference from luck among %s: take %d or more."
          .formatted(
              Counted.of(rounds(), "round"),
              Counted.of(rows.size(), "size"),
              roundsNeeded(rows.size()));
    }
    String name = whole.result().collective().word();
    String first =
        piecesWin()
            ? String.format(
                Locale.ROOT,
                "Many small ones win here: %d of %s take %s, one %s of %s takes %s, %.2f times as long.",
                best.count(),
                Bytes.of(best.result().bytes()),
                NetText.time(best.seconds()),
                name,
                Bytes.of(total),
                NetText.time(whole.seconds()),
                1 / best.ratio())
            : String.format(
                Locale.ROOT,
                "One %s of %s takes %s here, and no size of pieces is surely faster by %.0f %% or more.",
                name,
                Bytes.of(total),
                NetText.time(whole.seconds()),
                100 * MATTERS);
    return first + " " + cost();
  }

  private String cost() {
    Row smallest = rows.getLast();
    return costShowsFrom()
        .map(
            it ->
                String.format(
                    Locale.ROOT,
                    "From pieces of %s down the cost of each call shows: %.1f times as long at %s, about %s a call.",
                    Bytes.of(it.result().bytes()),
                    smallest.seconds() / best().seconds(),
                    Bytes.of(smallest.result().bytes()),
                    NetText.time(costOfCall())))
        .orElse(
            "Down to pieces of %s the cost of calls does not show."
                .formatted(Bytes.of(smallest.result().bytes())));
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "totalBytes",
        total,
        "collective",
        rows.getFirst().result().collective().word(),
        "ranks",
        rows.getFirst().result().ranks(),
        "rows",
        rows.stream().map(Row::tree).toList(),
        "rounds",
        rounds(),
        "roundsNeeded",
        roundsNeeded(rows.size()),
        "bestPieceBytes",
        best().result().bytes(),
        "piecesWin",
        piecesWin(),
        "costShowsFromBytes",
        costShowsFrom().map(it -> it.result().bytes()).orElse(null),
        "callSeconds",
        costOfCall(),
        "verdict",
        words());
  }
}
