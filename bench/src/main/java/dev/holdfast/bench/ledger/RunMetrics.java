package dev.holdfast.bench.ledger;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.MetricsText;
import java.util.function.ToDoubleFunction;

/** A run in Prometheus text form, for the node exporter's textfile folder. */
public final class RunMetrics {
  private static final double GIGA = 1e9;

  private RunMetrics() {}

  public static String of(LedgerRun run) {
    MetricsText text = new MetricsText();
    series(
        text,
        run,
        "holdfast_bench_busbw_bytes_per_second",
        "Bus bandwidth of the median round, by the formulas of nccl-tests.",
        it -> it.busbw() * GIGA);
    series(
        text,
        run,
        "holdfast_bench_busbw_low_bytes_per_second",
        "Lower end of the interval that holds the median of rounds.",
        it -> hasInterval(it) ? it.interval().low() * GIGA : Double.NaN);
    series(
        text,
        run,
        "holdfast_bench_busbw_high_bytes_per_second",
        "Upper end of the interval that holds the median of rounds.",
        it -> hasInterval(it) ? it.interval().high() * GIGA : Double.NaN);
    series(
        text,
        run,
        "holdfast_bench_algbw_bytes_per_second",
        "Algorithm bandwidth of the median round: size over time.",
        it -> it.algbw() * GIGA);
    series(
        text,
        run,
        "holdfast_bench_call_seconds",
        "Time of a call, back to back, of the median round.",
        it -> it.latency().mean());
    series(
        text,
        run,
        "holdfast_bench_call_p50_seconds",
        "Median time of single calls.",
        it -> it.latency().p50());
    series(
        text,
        run,
        "holdfast_bench_call_p99_seconds",
        "99 of 100 calls were no slower.",
        it -> it.latency().p99());
    series(
        text,
        run,
        "holdfast_bench_wrong_elements",
        "Elements that had a wrong value.",
        it -> it.wrong() < 0 ? Double.NaN : it.wrong());
    text.one(
        "holdfast_bench_time_seconds",
        "gauge",
        "When it was measured.",
        run.time().getEpochSecond());
    for (Manifest.Load load : run.manifest().load()) {
      text.one(
          "holdfast_bench_noisy",
          "gauge",
          "1 when others used the machine or the wire meanwhile.",
          load.noisy() ? 1 : 0);
    }
    return text.toString();
  }

  /** One round says nothing of where others would be. */
  private static boolean hasInterval(NetResult result) {
    return result.hasBus() && !Double.isNaN(result.busbw()) && result.rounds().size() > 1;
  }

  /** What is not known has no sample: a zero would be read as one. */
  private static void series(
      MetricsText text,
      LedgerRun run,
      String name,
      String help,
      ToDoubleFunction<NetResult> value) {
    text.metric(name, "gauge", help);
    for (NetResult result : run.results()) {
      double known = value.applyAsDouble(result);
      if (Double.isFinite(known)) {
        text.value(
            name,
            known,
            "collective",
            result.collective().word(),
            "variant",
            result.variant(),
            "type",
            result.type(),
            "bytes",
            Long.toString(result.bytes()),
            "ranks",
            Integer.toString(result.ranks()));
      }
    }
  }
}
