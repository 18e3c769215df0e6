package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at this machine from the beginning of a measurement to its end: what it is, and how busy
 * others kept it meanwhile.
 */
public final class MachineWatch {
  private final LoadWatch load = LoadWatch.begin();

  private MachineWatch() {}

  public static MachineWatch begin() {
    return new MachineWatch();
  }

  /**
   * What there is to say at the end.
   *
   * @param hosts that took part
   * @param facts of the benchmark itself: ranks, transport, binding
   */
  public Manifest end(List<String> hosts, String version, Map<String, String> facts) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("version", version);
    all.putAll(MachineFacts.all());
    all.putAll(facts);
    return new Manifest(hosts, nics(), all, List.of(load.end()));
  }

  private static List<Manifest.Nic> nics() {
    List<Manifest.Nic> nics = new ArrayList<>();
    for (String name : BoundedFile.list(Path.of("/sys/class/net"), 256).names()) {
      Path folder = Path.of("/sys/class/net", name);
      String state = MachineFacts.read(folder + "/operstate").strip();
      if (state.equals("up") || name.equals("lo")) {
        String driver = BoundedFile.link(folder.resolve("device/driver")).text().orElse("");
        nics.add(
            new Manifest.Nic(
                name,
                Math.max(0, number(MachineFacts.read(folder + "/speed"))),
                (int) number(MachineFacts.read(folder + "/mtu")),
                driver.substring(driver.lastIndexOf('/') + 1)));
      }
    }
    return nics;
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
