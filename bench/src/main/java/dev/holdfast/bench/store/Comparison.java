package dev.holdfast.bench.store;

import java.util.ArrayList;
import java.util.List;

/** Ours beside one peer, judged by what we have set ourselves. */
record Comparison(StoreResult result, String ours, String peer) {
  private static final double THROUGHPUT = 0.95;
  private static final double CPU = 1.0;
  private static final double LATENCY = 1.1;
  private static final double STORM = 0.25;

  /** Four times as many clients, four times as long; what is quadratic takes sixteen times. */
  private static final double LINEAR = 6.5;

  private static final double IDLE_BYTES = 16 << 10;

  List<Row> rows() {
    return result.samples().cases().stream().map(this::row).toList();
  }

  private Row row(Case of) {
    return switch (of.measure()) {
      case Case.LOAD -> load(of);
      case Case.MEMORY -> judged(of, "bytesPerConnection", "at most 16 KiB each", memoryMissed(of));
      case Case.SLOW_NAMES -> judged(of, "seconds", "all, as without", slowMissed(of));
      case Case.CANCEL, Case.CANCEL_OWN, Case.DISCONNECT, Case.DISCONNECT_OWN ->
          judged(
              of,
              "seconds",
              largest(of) ? "at most a quarter of the time, linear" : "",
              stormMissed(of));
      default ->
          judged(
              of,
              "seconds",
              largest(of) ? "0.95 × the speed at 1.0 × the CPU" : "",
              speedMissed(of, 1 / ratio(of, "seconds"), ratio(of, "serverCpuSeconds")));
    };
  }

  private Row load(Case of) {
    double rate = ratio(of, "operationsPerSecond");
    double cpu = ratio(of, "serverCpuMicrosecondsPerOperation");
    double latency = ratio(of, "p50Seconds");
    boolean single = of.connections() == 1;
    String missed = single ? latency > LATENCY ? "latency" : "" : speedMissed(of, rate, cpu);
    return new Row(
        of,
        median(ours, of, "operationsPerSecond"),
        median(peer, of, "operationsPerSecond"),
        rate,
        cpu,
        latency,
        spread(of, "operationsPerSecond"),
        single ? "median latency at most 1.1 ×" : "0.95 × the speed at 1.0 × the CPU",
        Double.isNaN(rate) ? "not measured" : missed);
  }

  private Row judged(Case of, String name, String goal, String missed) {
    return new Row(
        of,
        median(ours, of, name),
        median(peer, of, name),
        ratio(of, name),
        ratio(of, "serverCpuSeconds"),
        Double.NaN,
        spread(of, name),
        goal,
        goal.isEmpty() ? "" : missed);
  }

  private String speedMissed(Case of, double speed, double cpu) {
    List<String> missed = new ArrayList<>();
    if (Double.isNaN(speed)) {
      missed.add("not measured");
    } else if (rounded(speed) < THROUGHPUT) {
      missed.add(limitedByGenerator(of) ? "speed (generator)" : "speed");
    }
    if (rounded(cpu) > CPU) {
      missed.add("CPU");
    }
    return String.join(", ", missed);
  }

  private String stormMissed(Case of) {
    List<String> missed = new ArrayList<>();
    double ratio = ratio(of, "seconds");
    if (Double.isNaN(ratio)) {
      missed.add("not measured");
    } else if (rounded(ratio) > STORM) {
      missed.add("time");
    }
    if (growth(ours, of) > LINEAR) {
      missed.add("not linear");
    }
    return String.join(", ", missed);
  }

  private String memoryMissed(Case of) {
    double bytes = median(ours, of, "bytesPerConnection");
    return bytes <= IDLE_BYTES ? "" : "memory";
  }

  private String slowMissed(Case of) {
    return median(ours, of, "ready") >= of.connections() ? "" : "clients left out";
  }

  /** How many times as long all take as a quarter of them. */
  double growth(String contender, Case of) {
    Case quarter = new Case(of.measure(), of.operation(), of.connections() / 4);
    return median(contender, of, "seconds") / median(contender, quarter, "seconds");
  }

  /** The clients had no time left while the server had. */
  boolean limitedByGenerator(Case of) {
    return median(ours, of, "generatorBusyCores") > 0.95 * result.plan().loadThreads()
        && median(ours, of, "serverBusyCores") < 0.9;
  }

  private boolean largest(Case of) {
    return of.connections() == result.plan().storm();
  }

  private double median(String contender, Case of, String name) {
    return result.samples().median(contender, of, name);
  }

  private double ratio(Case of, String name) {
    return median(ours, of, name) / median(peer, of, name);
  }

  private double spread(Case of, String name) {
    return Math.max(
        result.samples().spread(ours, of, name), result.samples().spread(peer, of, name));
  }

  /** To the hundredth, which is what is shown and more than can be measured. */
  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
