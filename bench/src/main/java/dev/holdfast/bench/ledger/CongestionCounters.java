package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What adapters count of congestion: notifications (CNP, ECN), pauses, waiting for credits. Which
 * of them there are depends on the driver, so they are found by their names.
 */
final class CongestionCounters {
  private static final Pattern TELLING = Pattern.compile("(^|.*_)(cnps?|ecn|pause|pfc)(_.*|$)");
  private static final String WAITED = "port_xmit_wait";
  private static final int MOST = 512;

  private CongestionCounters() {}

  /** By adapter, port and name; empty where there is no such adapter. */
  static Map<String, Long> read(Path sys) {
    Map<String, Long> counters = new TreeMap<>();
    Path adapters = sys.resolve("class/infiniband");
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
    return counters;
  }

  private static Iterable<String> names(Path folder) {
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
