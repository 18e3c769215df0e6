package dev.holdfast.bench.store;

import dev.holdfast.bench.ledger.MachineFacts;
import dev.holdfast.bench.peer.Contender;
import dev.holdfast.bench.peer.Installation;
import dev.holdfast.bench.peer.NameLookup;
import dev.holdfast.bench.peer.RunningServer;
import dev.holdfast.bench.peer.Servers;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Is our store as fast as PyTorch's own, and how much less does it mind what happens to all at
 * once? Every contender is a process of its own on the same CPUs, the clients are another on
 * others, and contenders take turns within each case, so that what else happens on the machine hits
 * them alike.
 */
public final class StoreBench {
  private static final double SLOW_NAMES_SECONDS = 60;
  private static final double SETTLE_SECONDS = 1.5;

  private final StorePlan plan;
  private final Consumer<String> log;
  private final Progress progress;
  private final List<Sample> samples = new ArrayList<>();
  private int done;

  /** Told how far the work has come. */
  public interface Progress {
    void at(String what, int done, int total);
  }

  public StoreBench(StorePlan plan, Consumer<String> log, Progress progress) {
    this.plan = plan;
    this.log = log;
    this.progress = progress;
  }

  /** Measures everything; a peer that cannot be had ends it before anything is measured. */
  public StoreResult run() throws IOException {
    Installation installation = Installation.ofThisProcess();
    String loadBefore = MachineFacts.load();
    try (Servers servers = new Servers(installation, plan.serverCpus());
        LoadClient load = new LoadClient(installation, plan)) {
      for (Contender contender : plan.contenders()) {
        servers.prepare(contender, log);
      }
      onServersThatStay(servers, load);
      onFreshServers(servers, load, Case.FRESH, NameLookup.OFF);
      onFreshServers(servers, load, Case.MEMORY, NameLookup.OFF);
      if (plan.slowNames() > 0 && servers.chooseNameLookup()) {
        onFreshServers(servers, load, Case.SLOW_NAMES, NameLookup.SLOW);
      }
      return new StoreResult(
          plan, new Samples(samples), servers.chooseNameLookup(), loadBefore, MachineFacts.load());
    }
  }

  private int total() {
    int fresh = plan.storm() > 0 ? 2 : 0;
    int slowNames = plan.slowNames() > 0 ? 1 : 0;
    return ((plan.cases().size() + fresh) * plan.rounds() + slowNames) * plan.contenders().size();
  }

  private void onServersThatStay(Servers servers, LoadClient load) throws IOException {
    Map<Contender, RunningServer> running = new LinkedHashMap<>();
    try {
      for (Contender contender : plan.contenders()) {
        running.put(contender, servers.start(contender, NameLookup.OFF));
      }
      warm(running, load);
      for (Case next : plan.cases()) {
        for (int round = 0; round < plan.rounds(); round++) {
          for (Contender contender : plan.contenders()) {
            measure(contender, running.get(contender), load, next, round);
          }
        }
      }
    } finally {
      running.values().forEach(RunningServer::close);
    }
  }

  /** A second of load nobody counts: the code of both sides is compiled by then. */
  private void warm(Map<Contender, RunningServer> running, LoadClient load) throws IOException {
    for (RunningServer server : running.values()) {
      for (String operation : plan.operations()) {
        load.measure(order(server, new Case(Case.LOAD, operation, 64), plan.warmUpSeconds()));
      }
    }
  }

  private void onFreshServers(Servers servers, LoadClient load, String measure, NameLookup lookup)
      throws IOException {
    boolean slowNames = measure.equals(Case.SLOW_NAMES);
    int clients = slowNames ? plan.slowNames() : plan.storm();
    int rounds = slowNames ? 1 : plan.rounds();
    for (int round = 0; clients > 0 && round < rounds; round++) {
      for (Contender contender : plan.contenders()) {
        if (!(contender instanceof Contender.Remote)) {
          try (RunningServer server = servers.start(contender, lookup)) {
            measure(contender, server, load, new Case(measure, "", clients), round);
          }
        }
      }
    }
  }

  private void measure(
      Contender contender, @Nullable RunningServer server, LoadClient load, Case next, int round)
      throws IOException {
    if (server == null) {
      return;
    }
    progress.at(
        "%s, %s, %d clients".formatted(contender.name(), next.label(), next.connections()),
        done,
        total());
    Map<String, @Nullable Object> values =
        new LinkedHashMap<>(load.measure(order(server, next, plan.seconds())));
    Object failed = values.remove("failed");
    samples.add(
        new Sample(contender.name(), next, round, values, failed == null ? "" : failed.toString()));
    done++;
    progress.at("", done, total());
  }

  private Map<String, @Nullable Object> order(RunningServer server, Case next, double seconds) {
    return Json.map(
        "measure",
        switch (next.measure()) {
          case Case.SLOW_NAMES, Case.FRESH -> Case.ACCEPT;
          default -> next.measure();
        },
        "operation",
        next.operation(),
        "connections",
        next.connections(),
        "host",
        server.address().getHostString(),
        "port",
        server.address().getPort(),
        "server",
        server.pid(),
        "warmUpSeconds",
        plan.warmUpSeconds(),
        "seconds",
        switch (next.measure()) {
          case Case.LOAD -> seconds;
          case Case.MEMORY -> SETTLE_SECONDS;
          case Case.SLOW_NAMES -> SLOW_NAMES_SECONDS;
          default -> 120.0;
        });
  }
}
