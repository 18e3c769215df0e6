package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What adapters count of congestion: notifications (CNP, ECN), pauses, waiting for credits, packets
 * thrown away for want of room. Which of them there are depends on the driver, so they are found by
 * their names: those of RDMA in files, those of Ethernet ports as {@code ethtool -S} has them.
 */
final class CongestionCounters {
  private static final Pattern TELLING =
      Pattern.compile("(^|.*[_.])(cnps?|ecn|pause|pfc|xon|xoff|discards?)([_.].*|$)");
  private static final String WAITED = "port_xmit_wait";
  private static final int MOST = 512;

  /** Of cards: asking one takes its firmware a millisecond or more. */
  private static final int MOST_CARDS = 32;

  private CongestionCounters() {}

  /**
   * By adapter, port and name; empty where there is no such adapter.
   *
   * @param statistics what the driver of a card counts
   */
  static Map<String, Long> read(Path sys, Function<String, Map<String, Long>> statistics) {
    Map<String, Long> counters = new TreeMap<>();
    cards(counters, sys.resolve("class/net"), statistics);
    adapters(counters, sys.resolve("class/infiniband"));
    return counters;
  }

  /** Only hardware: what bridges and tunnels count happens on a card as well. */
  private static void cards(
      Map<String, Long> counters, Path cards, Function<String, Map<String, Long>> statistics) {
    names(cards).stream()
        .filter(card -> Files.exists(cards.resolve(card).resolve("device")))
        .limit(MOST_CARDS)
        .forEach(
            card ->
                statistics
                    .apply(card)
                    .forEach(
                        (name, value) -> {
                          if (TELLING.matcher(name).matches()) {
                            counters.put(card + " " + name, value);
                          }
                        }));
  }

  private static void adapters(Map<String, Long> counters, Path adapters) {
    for (String adapter : names(adapters)) {
      Path ports = adapters.resolve(adapter).resolve("ports");
      for (String port : names(ports)) {
        String place = adapter + "/" + port + " ";
        Path counted = ports.resolve(port).resolve("hw_counters");
        for (String name : names(counted)) {
          if (TELLING.matcher(name).matches()) {
            put(counters, place + name, counted.resolve(name));
          }
        }
        put(counters, place + WAITED, ports.resolve(port).resolve("counters").resolve(WAITED));
      }
    }
  }

  private static List<String> names(Path folder) {
    return BoundedFile.list(folder, MOST).names();
  }

  private static void put(Map<String, Long> counters, String name, Path file) {
    try {
      BoundedFile.read(file, 1024)
          .text()
          .ifPresent(it -> counters.put(name, Long.parseLong(it.strip())));
    } catch (NumberFormatException untold) {
      // A driver that tells no number tells nothing.
    }
  }

  /** What has grown, and by how much. */
  static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> growth = new TreeMap<>();
    after.forEach(
        (name, value) -> {
          long more = value - before.getOrDefault(name, value);
          if (more > 0) {
            growth.put(name, more);
          }
        });
    return growth;
  }
}
