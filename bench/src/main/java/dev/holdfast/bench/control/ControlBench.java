package dev.holdfast.bench.control;

import dev.holdfast.bench.load.ProcessGauge;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.sim.Line;
import dev.holdfast.sim.Load;
import dev.holdfast.sim.Shape;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets simulated agents speak to a control plane that is a process of its own, and tells what it
 * did in which time and with how much processor time.
 */
public final class ControlBench {
  private static final double IDLE_GOAL = 0.05;
  private static final double BURST_GOAL = 0.5;
  private static final double DECIDED_GOAL = 2.0;
  private static final double RATE_GOAL = 10_000;
  private static final Duration SETTLE = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final ServerAddress address;
  private final ProcessGauge server;
  private final Consumer<String> progress;
  private final List<ControlRow> rows = new ArrayList<>();

  public ControlBench(ServerAddress address, long pid, Consumer<String> progress) {
    this.address = address;
    this.server = new ProcessGauge(pid);
    this.progress = progress;
  }

  /** How many agents and connections, and how long the load lasts. */
  public record Plan(int agents, int connections, Duration time, int failing) {}

  public List<ControlRow> run(Plan plan) throws IOException, InterruptedException {
    Shape shape = new Shape(plan.agents(), 8);
    try (Line line = new Line(address);
        Load load = new Load(shape, plan.connections(), line, Clock.systemUTC())) {
      progress.accept("introducing " + plan.agents() + " agents");
      measure("agents say what they are", load::introduce, Optional.empty());
      progress.accept("single fatal findings");
      int alone = Math.min(200, plan.agents() / 10);
      measure(
          "a fatal finding, nobody else speaking",
          () -> load.alone(plan.agents() - alone, alone),
          Optional.of(IDLE_GOAL));
      for (int batch : List.of(20, 1)) {
        progress.accept("findings, " + batch + " at once");
        sustained(load, batch, plan.time());
      }
      waiting(plan.agents());
      progress.accept(plan.failing() + " nodes fail");
      burst(load, plan.failing());
      guard();
      rows.add(
          new ControlRow(
              "resident memory",
              String.format(Locale.ROOT, "%.0f MiB", server.residentBytes() / 1048576.0),
              "",
              ""));
    }
    return rows;
  }

  private interface Measured {
    Load.Result run() throws IOException, InterruptedException;
  }

  private void measure(String what, Measured measured, Optional<Double> goal)
      throws IOException, InterruptedException {
    var before = server.spent();
    Load.Result result = measured.run();
    double cpu = server.spent().since(before);
    double p99 = result.receipts().quantile(0.99);
    rows.add(
        new ControlRow(
            what + ", " + result.findings(),
            String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, %.2f s in all",
                result.receipts().quantile(0.5) * 1000,
                p99 * 1000,
                result.seconds()),
            String.format(Locale.ROOT, "%.0f µs CPU each", cpu / result.findings() * 1e6),
            goal.map(it -> verdict(p99 <= it)).orElse("")));
  }

  private void sustained(Load load, int batch, Duration time)
      throws IOException, InterruptedException {
    var _ = load.sustain(batch, time.dividedBy(3));
    var before = server.spent();
    Load.Result result = load.sustain(batch, time);
    double cpu = server.spent().since(before);
    rows.add(
        new ControlRow(
            "findings, " + batch + " at once",
            String.format(
                Locale.ROOT,
                "%,.0f a second, receipts p99 %.0f ms, %d refused",
                result.rate(),
                result.receipts().quantile(0.99) * 1000,
                result.refused()),
            String.format(Locale.ROOT, "%.1f µs CPU each", cpu / result.findings() * 1e6),
            batch > 1 ? verdict(result.rate() >= RATE_GOAL && result.refused() == 0) : ""));
  }

  private void waiting(int agents) throws IOException, InterruptedException {
    progress.accept(agents + " agents wait, each on a connection");
    long before = server.residentBytes();
    try (WaitingAgents waiting = new WaitingAgents(address, agents)) {
      Thread.sleep(SETTLE);
      var spent = server.spent();
      Thread.sleep(IDLE);
      double cpu = server.spent().since(spent) / (IDLE.toMillis() / 1000.0);
      long alive = waiting.alive();
      rows.add(
          new ControlRow(
              agents + " agents wait, a connection each",
              String.format(
                  Locale.ROOT,
                  "%d connected, %.1f KiB more memory each",
                  alive,
                  (server.residentBytes() - before) / 1024.0 / agents),
              String.format(Locale.ROOT, "%.1f %% of a core", cpu * 100),
              verdict(alive == agents)));
    }
  }

  private void burst(Load load, int failing) throws IOException, InterruptedException {
    Load.Result result = load.burst(failing);
    double p99 = result.receipts().quantile(0.99);
    rows.add(
        new ControlRow(
            failing + " nodes fail at once",
            String.format(
                Locale.ROOT,
                "%d decided in %.2f s, p99 %.0f ms, %d refused",
                result.findings(),
                result.seconds(),
                p99 * 1000,
                result.refused()),
            "",
            verdict(
                result.findings() == failing
                    && result.refused() == 0
                    && p99 <= BURST_GOAL
                    && result.seconds() <= DECIDED_GOAL)));
  }

  private void guard() throws IOException, InterruptedException {
    try (ServerClient client = new ServerClient(new ServerAddress(address.uri(), "", ""))) {
      String answer = client.get("/api/v1/overview", Duration.ofSeconds(10));
      Fields overview = Fields.of("overview", Json.object(answer));
      String why = overview.has("tripped") ? overview.object("tripped").text("why") : "not tripped";
      rows.add(new ControlRow("the guard", why, "", verdict(overview.has("tripped"))));
    }
  }

  private static String verdict(boolean reached) {
    return reached ? "pass" : "miss";
  }
}
