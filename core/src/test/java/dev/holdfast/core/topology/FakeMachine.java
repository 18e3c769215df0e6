package dev.holdfast.core.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A made-up machine's /sys and /proc; can be written to a folder for other programs to read. */
final class FakeMachine implements MachineFiles {
  private static final String CPU = "/sys/devices/system/cpu/cpu";

  private final Map<String, String> texts = new TreeMap<>();
  private final Map<String, String> links = new HashMap<>();

  FakeMachine file(String path, String text) {
    texts.put(path, text);
    return this;
  }

  FakeMachine symbolicLink(String path, String target) {
    links.put(path, target);
    return this;
  }

  /** Says which CPUs run; those that are present and do not are offline. */
  FakeMachine cpus(IdSet present, IdSet online) {
    file("/sys/devices/system/cpu/present", present.toString());
    file("/sys/devices/system/cpu/possible", present.toString());
    return file("/sys/devices/system/cpu/online", online.toString());
  }

  /** Something all these CPUs have in common, such as {@code core} or {@code package}. */
  FakeMachine topology(String what, int number, IdSet cpus) {
    String id = what.equals("package") ? "physical_package_id" : what + "_id";
    cpus.stream()
        .forEach(
            cpu -> {
              String folder = CPU + cpu + "/topology/";
              set(folder + what + "_cpus", folder + what + "_cpus_list", cpus);
              file(folder + id, Integer.toString(number));
            });
    return this;
  }

  FakeMachine cache(int index, int level, String type, String size, IdSet cpus) {
    cpus.stream()
        .forEach(
            cpu -> {
              String folder = CPU + cpu + "/cache/index" + index + "/";
              file(folder + "level", Integer.toString(level));
              file(folder + "type", type);
              file(folder + "size", size);
              set(folder + "shared_cpu_map", folder + "shared_cpu_list", cpus);
            });
    return this;
  }

  FakeMachine node(int number, IdSet cpus, String distances) {
    String folder = "/sys/devices/system/node/node" + number + "/";
    set(folder + "cpumap", folder + "cpulist", cpus);
    file(folder + "meminfo", "Node %d MemTotal:  1048576 kB\n".formatted(number));
    if (!distances.isEmpty()) {
      file(folder + "distance", distances);
    }
    String last = texts.getOrDefault("/sys/devices/system/node/online", "");
    return file(
        "/sys/devices/system/node/online", IdSet.parse(last).or(IdSet.of(number)).toString());
  }

  /** A PCI function below these bridges, the host bridge first. */
  FakeMachine pci(String address, int code, String vendor, String driver, String... above) {
    String folder = SysfsPci.FOLDER + "/" + address;
    file(folder + "/class", "0x%06x".formatted(code));
    file(folder + "/vendor", "0x" + vendor);
    file(folder + "/device", "0x1000");
    configuration(folder, 0, 0, 0);
    symbolicLink(folder, "../../../devices/" + String.join("/", above) + "/" + address);
    if (!driver.isEmpty()) {
      symbolicLink(folder + "/driver", "../../../bus/pci/drivers/" + driver);
    }
    return this;
  }

  /** A PCI bridge to the buses from {@code first} to {@code last}. */
  FakeMachine bridge(String address, int first, int last, String... above) {
    pci(address, 0x060400, "10b5", "pcieport", above);
    configuration(SysfsPci.FOLDER + "/" + address, 1, first, last);
    return this;
  }

  /** The first bytes of the configuration space, as far as they tell of buses. */
  private void configuration(String folder, int header, int first, int last) {
    char[] bytes = new char[64];
    bytes[0x0e] = (char) header;
    bytes[0x19] = (char) first;
    bytes[0x1a] = (char) last;
    file(folder + "/config", new String(bytes));
  }

  /** Says near to which node and CPUs a PCI function is; -1 for nobody knows. */
  FakeMachine near(String address, int node, IdSet cpus) {
    String folder = SysfsPci.FOLDER + "/" + address;
    file(folder + "/numa_node", Integer.toString(node));
    set(folder + "/local_cpus", folder + "/local_cpulist", cpus);
    return this;
  }

  private void set(String maskFile, String listFile, IdSet cpus) {
    texts.put(listFile, cpus.toString());
    StringBuilder words = new StringBuilder();
    for (int word = Math.max(0, cpus.last()) / 32; word >= 0; word--) {
      long value = 0;
      for (int bit = 0; bit < 32; bit++) {
        value |= cpus.contains(32 * word + bit) ? 1L << bit : 0;
      }
      words.append(words.isEmpty() ? "" : ",").append("%08x".formatted(value));
    }
    texts.put(maskFile, words.toString());
  }

  @Override
  public Optional<String> text(String path) {
    return Optional.ofNullable(texts.get(path)).map(String::strip);
  }

  @Override
  public List<String> list(String path) {
    TreeSet<String> names = new TreeSet<>();
    List<String> all = new ArrayList<>(texts.keySet());
    all.addAll(links.keySet());
    for (String name : all) {
      if (name.startsWith(path + "/")) {
        names.add(name.substring(path.length() + 1).split("/", 2)[0]);
      }
    }
    return List.copyOf(names);
  }

  @Override
  public Optional<String> link(String path) {
    return Optional.ofNullable(links.get(path));
  }

  /** Writes the files, not the links, below a folder. */
  void writeTo(Path root) throws IOException {
    Set<Path> folders = new HashSet<>();
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      Path file = root.resolve(entry.getKey().substring(1));
      if (folders.add(file.getParent())) {
        Files.createDirectories(file.getParent());
      }
      Files.writeString(file, entry.getValue() + "\n", StandardCharsets.ISO_8859_1);
    }
  }
}
