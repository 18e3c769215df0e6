package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.lang.management.ManagementFactory;
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
  private static final List<String> SETTINGS =
      List.of(
          "net/core/rmem_max",
          "net/core/wmem_max",
          "net/ipv4/tcp_rmem",
          "net/ipv4/tcp_wmem",
          "net/ipv4/tcp_congestion_control");

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
    all.put("kernel", MachineFacts.kernel());
    all.put("processor", MachineFacts.processor());
    all.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    all.put("java", Runtime.version().toString());
    all.put("jvm", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    for (String setting : SETTINGS) {
      String value = MachineFacts.read("/proc/sys/" + setting).strip().replaceAll("\\s+", " ");
      if (!value.isEmpty()) {
        all.put(setting.substring(setting.lastIndexOf('/') + 1), value);
      }
    }
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
