package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.statistics.MedianInterval;
import dev.holdfast.core.statistics.TwoModes;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Hostlist;
import java.util.List;
import java.util.Locale;

/**
 * Results in the columns of nccl-tests, which those who read them know by heart, with what a mean
 * hides beside them: the median, the slow calls, how far the rounds lie apart and how surely the
 * median of rounds is known.
 */
public final class NetTable {
  private static final String ROW =
      "%12s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %7s  %7s  %6s  %6s  %6s  %s";

  private static final String HEADING = ROW.replaceFirst("%12s", "#%11s");

  /** Before the algorithm, where calls are messages. */
  private static final String RATE = "%8s  ";

  private NetTable() {}

  public static String of(NetPlan plan, LedgerRun run) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "# %d %s over %s on %s; binding: %s; %s of fresh processes",
        plan.ranks(),
        plan.ranks() == 1 ? "rank" : "ranks",
        plan.transport().word()
            + (plan.streams() > 1 ? " with " + plan.streams() + " streams" : ""),
        where(run),
        run.manifest().facts().getOrDefault("binding", "-"),
        rounds(plan, run));
    String library = run.manifest().facts().getOrDefault("library", "");
    if (!library.isEmpty()) {
      line(text, "# %s", library);
    }
    if (plan.ranks() == 1) {
      line(
          text,
          "# one rank: nothing crosses a link, so busbw is 0, and low and high are of algbw; this is what a call costs and what a copy within the GPU gets");
    }
    run.manifest().load().stream()
        .filter(Manifest.Load::noisy)
        .forEach(it -> line(text, "# noisy: %s", it.words().replace(" (noisy)", "")));
    run.notes().forEach(it -> line(text, "# note: %s", it));
    Collective before = null;
    for (NetResult result : run.results()) {
      if (result.collective() != before) {
        before = result.collective();
        heading(text, before);
      }
      row(text, plan, result);
    }
    footer(text, plan, run.results());
    return text.toString();
  }

  /** As many as were asked for, or how many of them there was time for. */
  private static String rounds(NetPlan plan, LedgerRun run) {
    int made = run.results().stream().mapToInt(it -> it.figures().size()).max().orElse(0);
    String asked = Counted.of(plan.rounds(), "round");
    return made < plan.rounds() ? made + " of " + asked : asked;
  }

  private static String where(LedgerRun run) {
    List<String> hosts = run.manifest().hosts();
    return run.manifest().facts().containsKey("addresses")
        ? "%d %s (%s)"
            .formatted(hosts.size(), hosts.size() == 1 ? "host" : "hosts", Hostlist.compress(hosts))
        : "this machine";
  }

  private static void heading(StringBuilder text, Collective collective) {
    boolean time = collective.judgedByTime();
    line(text, "#");
    line(text, "# %s", collective.word());
    line(
        text,
        HEADING,
        "size",
        "count",
        "type",
        "redop",
        "root",
        "time",
        "algbw",
        "busbw",
        "#wrong",
        "p50",
        "p99",
        "spread",
        "low",
        "high",
        (messages(collective) ? RATE.formatted("messages") : "") + "algorithm");
    line(
        text,
        HEADING,
        "(B)",
        "(elements)",
        "",
        "",
        "",
        "(us)",
        "(GB/s)",
        "(GB/s)",
        "",
        "(us)",
        "(us)",
        "(%)",
        time ? "(us)" : "(GB/s)",
        time ? "(us)" : "(GB/s)",
        messages(collective) ? RATE.formatted("(M/s)") : "");
  }

  private static boolean messages(Collective collective) {
    return collective == Collective.BANDWIDTH || collective == Collective.BIDIRECTIONAL;
  }

  private static void row(StringBuilder text, NetPlan plan, NetResult result) {
    Operation operation =
        plan.operations().stream()
            .filter(it -> it.collective() == result.collective() && it.bytes() == result.bytes())
            .findFirst()
            .orElseThrow();
    boolean several = result.rounds().size() > 1;
    MedianInterval interval = result.interval();
    double unit = result.collective().judgedByTime() ? 1e6 : 1;
    line(
        text,
        ROW,
        result.bytes(),
        result.bytes() / operation.element().bytes(),
        operation.element().word(),
        adds(result.collective()) ? "sum" : "none",
        rooted(result.collective()) ? operation.root() : -1,
        micros(result.latency().mean()),
        fitted(result.algbw()),
        fitted(result.busbw()),
        result.wrong() < 0 ? "N/A" : Long.toString(result.wrong()),
        micros(result.latency().p50()),
        micros(result.latency().p99()),
        spread(result.rounds()),
        several ? fitted(interval.low() * unit) : "-",
        several ? fitted(interval.high() * unit) : "-",
        (messages(result.collective())
                ? RATE.formatted(String.format(Locale.ROOT, "%.3f", result.messageRate() / 1e6))
                : "")
            + operation.algorithm().word());
  }

  private static void footer(StringBuilder text, NetPlan plan, List<NetResult> results) {
    if (plan.check() && results.stream().anyMatch(it -> it.wrong() >= 0)) {
      long wrong = results.stream().mapToLong(it -> Math.max(0, it.wrong())).sum();
      line(text, "# Out of bounds values : %d %s", wrong, wrong == 0 ? "OK" : "FAILED");
    }
    results.stream()
        .mapToDouble(NetResult::busbw)
        .filter(Double::isFinite)
        .average()
        .ifPresent(mean -> line(text, "# Avg bus bandwidth    : %.4f", mean));
    results.stream()
        .filter(it -> it.rounds().size() > 1)
        .findFirst()
        .ifPresent(
            it ->
                line(
                    text,
                    "# from low to high: the median of rounds, with %.0f %% (%d rounds%s)",
                    Math.floor(100 * it.interval().confidence()),
                    it.rounds().size(),
                    it.interval().sure() ? "" : "; 95 % needs 6"));
    for (NetResult result : results) {
      result.modes().ifPresent(it -> line(text, "# two kinds of rounds: %s", kinds(result, it)));
    }
  }

  private static String kinds(NetResult result, TwoModes modes) {
    return "%s at %s: %d near %s, %d near %s; which of them a run meets is luck"
        .formatted(
            result.collective().word(),
            Bytes.of(result.bytes()),
            modes.below(),
            NetText.figure(result.collective(), modes.low()),
            modes.above(),
            NetText.figure(result.collective(), modes.high()));
  }

  private static boolean adds(Collective collective) {
    return switch (collective) {
      case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> true;
      default -> false;
    };
  }

  private static boolean rooted(Collective collective) {
    return switch (collective) {
      case BROADCAST, REDUCE, GATHER, SCATTER -> true;
      default -> false;
    };
  }

  private static String micros(double seconds) {
    return Double.isFinite(seconds) ? fitted(seconds * 1e6) : "";
  }

  /** As many decimals as there is room for. */
  private static String fitted(double value) {
    if (!Double.isFinite(value)) {
      return "N/A";
    }
    int decimals = value < 1000 ? 2 : value < 10_000 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** From the lowest to the highest round, of their middle. */
  private static String spread(List<Double> rounds) {
    if (rounds.size() < 2) {
      return "-";
    }
    double low = rounds.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double high = rounds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    if (high <= 0) {
      return "-";
    }
    return String.format(Locale.ROOT, "%.0f", 200 * (high - low) / (high + low));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
