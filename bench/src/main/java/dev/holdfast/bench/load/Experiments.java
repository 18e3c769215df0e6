package dev.holdfast.bench.load;

import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The measurements, one method each: clients come, something is measured, they go, and the server
 * has forgotten them before the answer is given, so that the next measurement finds it at rest.
 *
 * @param threads how many threads play the clients
 */
record Experiments(InetSocketAddress target, ProcessGauge server, int threads) {
  private static final long STORM_NANOS = 120_000_000_000L;
  private static final long FORGET_NANOS = 30_000_000_000L;
  private static final int WOKEN = 0;
  private static final int CANCELLED = 1;

  /** Who gets in within a time, and how long that takes. */
  Map<String, @Nullable Object> accept(int clients, double withinSeconds) throws IOException {
    int before = server.descriptors();
    double cpu = server.cpuSecondsExact();
    Fleet.Arrival arrival;
    double spent;
    try (Fleet fleet = new Fleet(target, clients, threads)) {
      arrival = fleet.connect((long) (withinSeconds * 1e9));
      spent = server.cpuSecondsExact() - cpu;
    }
    if (arrival.ready() == clients) {
      forgotten(before);
    }
    return Json.map(
        "ready", arrival.ready(), "seconds", arrival.seconds(), "serverCpuSeconds", known(spent));
  }

  /**
   * Operations a second in a closed loop: every client waits for an answer before it asks again.
   */
  Map<String, @Nullable Object> load(
      String operation, int clients, double warmUpSeconds, double seconds) throws IOException {
    int before = server.descriptors();
    Map<String, @Nullable Object> result;
    try (Fleet fleet = new Fleet(target, clients, threads)) {
      fleet.connectAll();
      fleet.run(lane -> lane.run(Script.preparation(), 0, Long.MAX_VALUE, 1));
      Script script = Script.of(operation);
      ProcessGauge self = new ProcessGauge(ProcessHandle.current().pid());
      long from = System.nanoTime() + (long) (warmUpSeconds * 1e9);
      long until = from + (long) (seconds * 1e9);
      List<Future<Lane.Tally>> running =
          fleet.begin(lane -> lane.run(script, from, until, Integer.MAX_VALUE));
      pauseUntil(from);
      ProcessGauge.Spent serverBefore = server.spent();
      ProcessGauge.Spent ownBefore = self.spent();
      long measuredFrom = System.nanoTime();
      pauseUntil(until);
      double measured = (System.nanoTime() - measuredFrom) / 1e9;
      double serverCpu = server.spent().since(serverBefore);
      double ownCpu = self.spent().since(ownBefore);
      Histogram latencies = new Histogram();
      long operations = 0;
      for (Lane.Tally tally : Fleet.all(running)) {
        latencies.add(tally.latencies());
        operations += tally.operations();
      }
      double rate = operations / seconds;
      result =
          Json.map(
              "operationsPerSecond",
              rate,
              "serverCpuMicrosecondsPerOperation",
              known(serverCpu / measured / rate * 1e6),
              "generatorCpuMicrosecondsPerOperation",
              ownCpu / measured / rate * 1e6,
              "serverBusyCores",
              known(serverCpu / measured),
              "generatorBusyCores",
              ownCpu / measured,
              "p50Seconds",
              latencies.quantile(0.5) / 1e9,
              "p99Seconds",
              latencies.quantile(0.99) / 1e9);
    }
    forgotten(before);
    return result;
  }

  /** One SET ends the wait of all: from its first byte to the last client that was told. */
  Map<String, @Nullable Object> fanOut(int clients) throws IOException {
    return storm(
        clients,
        false,
        (fleet, messenger, key) -> {
          List<Future<Long>> told =
              fleet.begin(lane -> lane.awaitByte(WOKEN, System.nanoTime() + STORM_NANOS));
          pause(20);
          double cpu = server.cpuSecondsExact();
          long start = System.nanoTime();
          messenger.set(key, "now");
          return took(start, Fleet.all(told), cpu);
        });
  }

  /** All give up waiting at once, and are told so. */
  Map<String, @Nullable Object> cancel(int clients, boolean ownKeys) throws IOException {
    return storm(
        clients,
        ownKeys,
        (fleet, _, _) -> {
          double cpu = server.cpuSecondsExact();
          long start = System.nanoTime();
          List<Long> told =
              fleet.run(
                  lane -> {
                    lane.cancelAll();
                    return lane.awaitByte(CANCELLED, System.nanoTime() + STORM_NANOS);
                  });
          return took(start, told, cpu);
        });
  }

  /**
   * All who wait are gone at once: until the server has closed its end of every one of them and
   * answered once more, and how long a client that stays had to wait meanwhile, at worst.
   */
  Map<String, @Nullable Object> disconnect(int clients, boolean ownKeys) throws IOException {
    int before = server.descriptors();
    return storm(
        clients,
        ownKeys,
        (fleet, messenger, _) -> {
          double cpu = server.cpuSecondsExact();
          long start = System.nanoTime();
          List<Future<Long>> leaving =
              fleet.begin(
                  lane -> {
                    lane.leave();
                    return System.nanoTime();
                  });
          long worst = 0;
          long end = 0;
          while (end == 0) {
            worst = Math.max(worst, messenger.check());
            if (server.descriptors() <= before + 1) { // the messenger stays
              // A server may close first and tidy up afterwards: it is done when it answers again.
              worst = Math.max(worst, messenger.check());
              end = System.nanoTime();
            } else if (System.nanoTime() - start > STORM_NANOS) {
              throw new IOException("the server still holds clients that went two minutes ago");
            }
            LockSupport.parkNanos(500_000);
          }
          double spent = server.cpuSecondsExact() - cpu;
          Map<String, @Nullable Object> result =
              Json.map(
                  "seconds", (end - start) / 1e9,
                  "serverCpuSeconds", known(spent),
                  "worstProbeSeconds", worst / 1e9);
          result.put("closingSeconds", took(start, Fleet.all(leaving), 0).get("seconds"));
          return result;
        });
  }

  /** Memory the server took for clients that did nothing but arrive. */
  Map<String, @Nullable Object> memory(int clients, double settleSeconds) throws IOException {
    pause((long) (settleSeconds * 1000));
    long before = server.residentBytes();
    long after;
    try (Fleet fleet = new Fleet(target, clients, threads)) {
      fleet.connectAll();
      pause((long) (settleSeconds * 1000));
      after = server.residentBytes();
    }
    return Json.map(
        "bytesPerConnection", (double) (after - before) / clients, "residentBytes", after);
  }

  /** Something that happens to clients who all wait. */
  private interface Storm {
    Map<String, @Nullable Object> happen(Fleet fleet, Messenger messenger, String key)
        throws IOException;
  }

  /**
   * @param ownKeys whether each waits for a key of its own instead of all for one
   */
  private Map<String, @Nullable Object> storm(int clients, boolean ownKeys, Storm storm)
      throws IOException {
    int before = server.descriptors();
    Map<String, @Nullable Object> result;
    try (Messenger messenger = new Messenger(target);
        Fleet fleet = new Fleet(target, clients, threads)) {
      fleet.connectAll();
      String key = Script.MISSING + "/" + System.nanoTime();
      fleet.run(
          lane -> {
            lane.sendAll(c -> Wire.await(ownKeys ? key + "/" + c : key));
            return lane.count();
          });
      atRest(messenger, clients);
      result = storm.happen(fleet, messenger, key);
    }
    forgotten(before);
    return result;
  }

  private Map<String, @Nullable Object> took(long start, List<Long> ends, double cpuBefore) {
    long last = ends.stream().mapToLong(Long::longValue).max().orElse(start);
    return Json.map(
        "seconds",
        (last - start) / 1e9,
        "serverCpuSeconds",
        known(server.cpuSecondsExact() - cpuBefore));
  }

  /** A wait is not answered, so that all were taken note of shows only in that nothing moves. */
  private void atRest(Messenger messenger, int clients) throws IOException {
    pause(100 + clients / 40);
    long deadline = System.nanoTime() + STORM_NANOS;
    double cpu = server.cpuSecondsExact();
    while (server.visible() && System.nanoTime() < deadline) {
      pause(50);
      double now = server.cpuSecondsExact();
      if (now - cpu < 0.005) {
        break;
      }
      cpu = now;
    }
    messenger.check();
  }

  private void forgotten(int descriptors) {
    long deadline = System.nanoTime() + FORGET_NANOS;
    while (server.visible() && server.descriptors() > descriptors && System.nanoTime() < deadline) {
      pause(5);
    }
    pause(20);
  }

  private @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  private static void pauseUntil(long nanos) {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      pause(left / 1_000_000);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
