package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Network interfaces and RDMA devices by the PCI function they belong to, and which of them carry
 * the default route, so that nobody puts a training job's traffic on the management network.
 */
final class SysfsNetwork {
  private static final String NET = "/sys/class/net";
  private static final String RDMA = "/sys/class/infiniband";
  private static final int MAX_INTERFACES = 2048;
  private static final int MAX_STACK = 4;

  private final SysfsReader reader;
  private final Map<String, Set<String>> interfaces = new HashMap<>();
  private final Map<String, List<Part>> parts = new HashMap<>();
  private final Set<String> onDefaultRoute;

  private SysfsNetwork(SysfsReader reader) {
    this.reader = reader;
    this.onDefaultRoute = defaultRoute();
  }

  /** The devices by PCI address, RDMA first. */
  static Map<String, List<Part>> read(SysfsReader reader) {
    SysfsNetwork network = new SysfsNetwork(reader);
    reader.files().list(NET).stream().limit(MAX_INTERFACES).forEach(network::placeInterface);
    reader.files().list(RDMA).stream().limit(MAX_INTERFACES).forEach(network::addRdma);
    network.addInterfaces();
    return network.parts;
  }

  private void placeInterface(String name) {
    reader
        .linkName(NET + "/" + name + "/device")
        .ifPresent(pci -> interfaces.computeIfAbsent(pci, _ -> new TreeSet<>()).add(name));
  }

  private void addRdma(String device) {
    String folder = RDMA + "/" + device;
    String pci = reader.linkName(folder + "/device").orElse("");
    if (pci.isEmpty()) {
      return;
    }
    Set<String> names = new TreeSet<>(reader.files().list(folder + "/device/net"));
    names.addAll(interfaces.getOrDefault(pci, Set.of()));
    interfaces.computeIfAbsent(pci, _ -> new TreeSet<>()).addAll(names);
    Part.Builder part = Part.of(PartKind.OS_DEVICE).name(device).subtype("OpenFabrics");
    port(part, folder + "/ports");
    if (!names.isEmpty()) {
      part.fact("netDevices", String.join(",", names));
    }
    if (names.stream().anyMatch(onDefaultRoute::contains)) {
      part.fact("defaultRoute", true);
    }
    parts.computeIfAbsent(pci, _ -> new ArrayList<>()).add(part.build());
  }

  /** Of several ports the active one tells, else the first. */
  private void port(Part.Builder part, String ports) {
    String chosen = "";
    String state = "";
    IdSet numbers = reader.numbered(ports, "");
    for (int port = numbers.first(); port >= 0; port = numbers.next(port + 1)) {
      String folder = ports + "/" + port;
      String text = reader.files().text(folder + "/state").orElse("");
      String word = text.substring(text.indexOf(':') + 1).strip();
      if (chosen.isEmpty() || word.equals("ACTIVE") && !state.equals("ACTIVE")) {
        chosen = folder;
        state = word;
      }
    }
    if (!chosen.isEmpty()) {
      String rate = reader.files().text(chosen + "/rate").orElse("").split(" ", 2)[0];
      part.fact("state", state.isEmpty() ? null : state)
          .fact("linkLayer", reader.files().text(chosen + "/link_layer").orElse(null))
          .fact("rateGbps", rate.matches("[0-9]{1,5}(\\.[0-9]{1,2})?") ? rate : null);
    }
  }

  private void addInterfaces() {
    interfaces.forEach(
        (pci, names) -> {
          for (String name : names) {
            Part.Builder part = Part.of(PartKind.OS_DEVICE).name(name).subtype("Network");
            if (onDefaultRoute.contains(name)) {
              part.fact("defaultRoute", true);
            }
            parts.computeIfAbsent(pci, _ -> new ArrayList<>()).add(part.build());
          }
        });
  }

  /** The interfaces with a default route and those they are stacked on (bond, VLAN, bridge). */
  private Set<String> defaultRoute() {
    Set<String> names = new HashSet<>();
    for (String line : lines("/proc/net/route")) {
      String[] words = line.split("\\s+");
      if (words.length >= 8 && words[1].equals("00000000") && words[7].equals("00000000")) {
        names.add(words[0]);
      }
    }
    String any = "0".repeat(32);
    for (String line : lines("/proc/net/ipv6_route")) {
      String[] words = line.strip().split("\\s+");
      boolean everything = words.length >= 10 && words[0].equals(any) && words[1].equals("00");
      if (everything && !words[words.length - 1].equals("lo")) {
        names.add(words[words.length - 1]);
      }
    }
    Set<String> last = names;
    for (int level = 0; level < MAX_STACK && !last.isEmpty(); level++) {
      Set<String> lower = new HashSet<>();
      for (String name : last) {
        for (String entry : reader.files().list(NET + "/" + name)) {
          if (entry.startsWith("lower_")) {
            lower.add(entry.substring("lower_".length()));
          }
        }
      }
      lower.removeAll(names);
      names.addAll(lower);
      last = lower;
    }
    return names;
  }

  private List<String> lines(String path) {
    return reader.files().text(path).orElse("").lines().limit(10_000).toList();
  }
}
