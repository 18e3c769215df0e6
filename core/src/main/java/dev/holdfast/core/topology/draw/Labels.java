package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How parts and devices are called. Names come from files that anyone may have written, so what a
 * terminal would obey is made visible and nothing is longer than it has room for.
 */
final class Labels {
  private static final int LONGEST_NAME = 40;
  private static final String NOT_SHOWN = "\uFFFD";

  /** The kernel's numbers of a port's state, which hwloc passes on as they are. */
  private static final Map<String, String> PORT_STATES =
      Map.of("1", "DOWN", "2", "INIT", "3", "ARMED", "4", "ACTIVE");

  private Labels() {}

  /** Without control and format characters and not longer than a name may be. */
  static String clean(String text) {
    return clean(text, LONGEST_NAME);
  }

  static String clean(String text, int longest) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(longest + 1L)
        .forEach(
            c -> {
              switch (Character.getType(c)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    out.append(NOT_SHOWN);
                default -> out.appendCodePoint(c);
              }
            });
    String shown = out.toString().strip();
    return shown.codePointCount(0, shown.length()) <= longest
        ? shown
        : shown.substring(0, shown.offsetByCodePoints(0, longest - 1)) + "…";
  }

  /** {@code GPU0}; a GPU that only its address tells of is {@code GPU}. */
  static String name(Device device) {
    return device.id().isEmpty() && device.kind() == Device.Kind.GPU
        ? "GPU"
        : clean(device.name(), 24);
  }

  /** A name that tells the device from all others. */
  static String unique(Device device) {
    return device.id().isEmpty() && !device.pci().isEmpty()
        ? shortPci(device.pci())
        : clean(device.name(), 16);
  }

  /** The address without the domain where that is the usual one. */
  static String shortPci(String address) {
    return clean(address.startsWith("0000:") ? address.substring(5) : address, 16);
  }

  static String cpus(IdSet cpus, int longest) {
    String list = cpus.toString();
    if (list.length() <= longest) {
      return list;
    }
    int comma = list.lastIndexOf(',', Math.max(1, longest - 3));
    return comma < 0 ? Wrap.cut(list, longest) : list.substring(0, comma) + ",…";
  }

  static String memory(Part node) {
    return node.amount(Part.MEMORY_BYTES).stream()
        .mapToObj(bytes -> Bytes.of(bytes).toString())
        .findFirst()
        .orElse("");
  }

  static String numaNode(Part node) {
    return node.number() < 0 ? "NUMA ?" : "NUMA " + node.number();
  }

  static String socket(Part part) {
    return part.kind() == PartKind.PACKAGE && part.number() >= 0
        ? "package " + part.number()
        : "package";
  }

  static String processor(Part part) {
    return firstOf(part, "CPUModel", "cpuModel", "model").map(text -> clean(text, 60)).orElse("");
  }

  private static Optional<String> firstOf(Part part, String... facts) {
    for (String fact : facts) {
      Optional<String> value = part.fact(fact).filter(text -> !text.isBlank());
      if (value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  /** What tells the sort of device: the model of a GPU or drive; of an adapter its link. */
  static String model(Device device) {
    Optional<String> model = firstOf(device.part(), "model", "GPUModel", "Model");
    String text = model.map(Labels::clean).orElse("");
    return text.replaceFirst("^NVIDIA ", "");
  }

  /** The rate of an adapter: {@code 400 Gb/s}. */
  static String rate(Device device) {
    return device
        .fact("rateGbps")
        .filter(text -> text.matches("[0-9]{1,6}(\\.[0-9]{1,3})?"))
        .map(text -> text.replaceFirst("\\.0+$", "") + " Gb/s")
        .orElse("");
  }

  /** The state of an adapter's port: {@code ACTIVE}, or empty where nobody says. */
  static String state(Device device) {
    Optional<String> told = device.fact("state").filter(text -> !text.isBlank());
    return told.or(() -> device.fact("Port1State").map(n -> PORT_STATES.getOrDefault(n, "")))
        .map(text -> clean(text, 12))
        .orElse("");
  }

  /** Whether a port says that it carries nothing. */
  static boolean down(Device device) {
    String state = state(device);
    return !state.isEmpty() && !state.equals("ACTIVE") && !state.equalsIgnoreCase("up");
  }

  /** What else is worth a word. */
  static List<String> remarks(Device device) {
    List<String> remarks = new ArrayList<>();
    device.fact("linkLayer").filter(t -> !t.isBlank()).ifPresent(t -> remarks.add(clean(t, 16)));
    device.fact("netDevices").filter(t -> !t.isBlank()).ifPresent(t -> remarks.add(clean(t, 24)));
    if (device.fact("virtualFunction").orElse("").equals("true")) {
      remarks.add("virtual function");
    }
    if (device.fact("defaultRoute").orElse("").equals("true")) {
      remarks.add("default route");
    }
    return remarks;
  }

  /** The cell of the matrix: {@code NV12}, {@code PIX}. */
  static String link(Topology machine, Device one, Device other) {
    Link link = machine.link(one, other);
    int count = link == Link.NV ? machine.details().links().nvlinks(one, other) : 0;
    return link.word() + (count > 0 ? count : "");
  }

  static String plural(int count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }
}
