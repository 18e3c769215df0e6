package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.List;
import java.util.Locale;

/**
 * Results in the columns of nccl-tests, which those who read them know by heart, with what a mean
 * hides beside them: the median, the slow calls and how far the rounds lie apart.
 */
public final class NetTable {
  private static final String ROW =
      "%12s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %8s  %8s  %7s  %s";

  private static final String HEADING = ROW.replaceFirst("%12s", "#%11s");

  private NetTable() {}

  public static String of(NetPlan plan, LedgerRun run) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "# %d %s over %s on this machine; binding: %s; %d %s of fresh processes",
        plan.ranks(),
        plan.ranks() == 1 ? "rank" : "ranks",
        plan.transport().word()
            + (plan.streams() > 1 ? " with " + plan.streams() + " streams" : ""),
        run.manifest().facts().getOrDefault("binding", "-"),
        plan.rounds(),
        plan.rounds() == 1 ? "round" : "rounds");
    String library = run.manifest().facts().getOrDefault("library", "");
    if (!library.isEmpty()) {
      line(text, "# %s", library);
    }
    if (plan.ranks() == 1) {
      line(
          text,
          "# one rank: nothing crosses a link; this is what a call costs and what a copy within the GPU gets");
    }
    run.manifest().load().stream()
        .filter(Manifest.Load::noisy)
        .forEach(
            it ->
                line(
                    text,
                    "# noisy: others used %.1f cores meanwhile, the hypervisor %.0f %%",
                    it.others(),
                    100 * it.steal()));
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

  private static void heading(StringBuilder text, Collective collective) {
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
        "algorithm");
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
        "");
  }

  private static void row(StringBuilder text, NetPlan plan, NetResult result) {
    Operation operation =
        plan.operations().stream()
            .filter(it -> it.collective() == result.collective() && it.bytes() == result.bytes())
            .findFirst()
            .orElseThrow();
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
        operation.algorithm().word());
  }

  private static void footer(StringBuilder text, NetPlan plan, List<NetResult> results) {
    if (plan.check()) {
      long wrong = results.stream().mapToLong(it -> Math.max(0, it.wrong())).sum();
      line(text, "# Out of bounds values : %d %s", wrong, wrong == 0 ? "OK" : "FAILED");
    }
    results.stream()
        .mapToDouble(NetResult::busbw)
        .filter(Double::isFinite)
        .average()
        .ifPresent(mean -> line(text, "# Avg bus bandwidth    : %.4f", mean));
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
    return String.format(Locale.ROOT, "%.0f", 200 * (high - low) / (high + low));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
