package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.Manifest.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The rounds of a measurement: which are made, and which count. Noisy ones are made again, at most
 * as many as were asked for; then those count in which others did least. What came out of a round
 * is never a reason to keep it or to leave it out.
 */
final class NetRounds {
  private final int asked;
  private final boolean again;
  private final List<NetRound> all = new ArrayList<>();

  NetRounds(int asked, boolean again) {
    this.asked = asked;
    this.again = again;
  }

  /** Whether one more is to be made. */
  boolean more() {
    return all.size() < asked || again && all.size() < 2 * asked && quiet() < asked;
  }

  private long quiet() {
    return all.stream().filter(NetRound::quiet).count();
  }

  void add(NetRound round) {
    all.add(round);
  }

  int made() {
    return all.size();
  }

  /** How many there will be, as far as is known now. */
  int expected() {
    return Math.max(asked, all.size());
  }

  /** Those that count, in the order they were made. */
  List<NetRound> kept() {
    List<NetRound> best =
        all.stream().sorted(Comparator.comparingDouble(NetRound::noise)).limit(asked).toList();
    return all.stream().filter(best::contains).toList();
  }

  /** How busy the machine was in those that count; none where they were too short to tell. */
  List<Load> load() {
    return kept().stream()
        .flatMap(it -> it.load().stream())
        .reduce(Load::and)
        .map(List::of)
        .orElse(List.of());
  }

  /** What a reader must know of it. */
  List<String> notes() {
    long noisy = all.stream().filter(it -> !it.quiet() && Double.isFinite(it.noise())).count();
    if (noisy == 0) {
      return List.of();
    }
    int more = Math.max(0, all.size() - asked);
    long left = kept().stream().filter(it -> !it.quiet()).count();
    double others =
        all.stream().flatMap(it -> it.load().stream()).mapToDouble(Load::others).max().orElse(0);
    String what =
        String.format(
            Locale.ROOT,
            "%d of %d rounds %s noisy (others used up to %.1f cores)",
            noisy,
            all.size(),
            noisy == 1 ? "was" : "were",
            others);
    if (more == 0) {
      return List.of(what + "; none was measured again");
    }
    return List.of(
        "%s; %s measured again; %s"
            .formatted(
                what,
                were(more),
                left == 0
                    ? "only quiet ones count"
                    : left == 1
                        ? "1 noisy one counts, that with the least noise"
                        : left + " noisy ones count, those with the least noise"));
  }

  private static String were(int count) {
    return count == 1 ? "1 was" : count + " were";
  }
}
