package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The PCI functions worth showing (GPUs, network adapters, NVMe drives) with the bridges above
 * each, read from where the links in {@code /sys/bus/pci/devices} lead.
 */
final class SysfsPci {
  static final String FOLDER = "/sys/bus/pci/devices";

  /** Domains of VMD controllers have five digits, and more are written in order. */
  static final Comparator<String> BY_ADDRESS =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
  private static final Pattern ROOT = Pattern.compile("pci[0-9a-f]{4,8}:[0-9a-f]{2}");
  private static final int MAX_FUNCTIONS = 8192;
  private static final int MAX_DEPTH = 32;

  /**
   * A function of interest.
   *
   * @param pciClass class and subclass, {@code 0302}
   * @param path the host bridge and the bridges below it; empty where the link is not known
   * @param virtual whether it is a virtual function of another one
   */
  record Function(
      String address,
      String pciClass,
      String vendor,
      String device,
      String driver,
      List<String> path,
      boolean virtual) {
    boolean display() {
      return pciClass.startsWith("03");
    }

    boolean accelerator() {
      return pciClass.startsWith("12");
    }

    String file(String name) {
      return FOLDER + "/" + address + "/" + name;
    }

    Part.Builder part() {
      Part.Builder part =
          Part.of(PartKind.PCI_DEVICE)
              .fact(Part.PCI_ADDRESS, address)
              .fact(Part.PCI_CLASS, pciClass)
              .fact(Part.PCI_VENDOR, vendor)
              .fact(Part.PCI_DEVICE, device);
      return virtual ? part.fact("virtualFunction", true) : part;
    }
  }

  private SysfsPci() {}

  static Map<String, Function> functions(SysfsReader reader) {
    Map<String, Function> found = new TreeMap<>(BY_ADDRESS);
    List<String> names = reader.files().list(FOLDER);
    if (names.size() > MAX_FUNCTIONS) {
      reader.note("only the first %d PCI functions are read".formatted(MAX_FUNCTIONS));
    }
    for (String address : names.subList(0, Math.min(names.size(), MAX_FUNCTIONS))) {
      if (!ADDRESS.matcher(address).matches()) {
        continue;
      }
      String folder = FOLDER + "/" + address;
      String pciClass = hex(reader, folder + "/class", 6);
      if (ofInterest(pciClass)) {
        found.put(
            address,
            new Function(
                address,
                pciClass.substring(0, 4),
                hex(reader, folder + "/vendor", 4),
                hex(reader, folder + "/device", 4),
                reader.linkName(folder + "/driver").orElse(""),
                path(reader.files().link(folder).orElse(""), address),
                reader.files().link(folder + "/physfn").isPresent()));
      }
    }
    return found;
  }

  /** Network controllers of all sorts, displays, NVMe drives and processing accelerators. */
  private static boolean ofInterest(String pciClass) {
    return pciClass.startsWith("02")
        || pciClass.startsWith("03")
        || pciClass.startsWith("0108")
        || pciClass.startsWith("12");
  }

  private static String hex(SysfsReader reader, String path, int digits) {
    long value = reader.number(path).orElse(-1);
    return value < 0 ? "" : ("%0" + digits + "x").formatted(value);
  }

  private static List<String> path(String target, String address) {
    List<String> path = new ArrayList<>();
    for (String element : target.split("/", 64)) {
      boolean wanted = path.isEmpty() ? ROOT.matcher(element).matches() : isBridge(element);
      if (wanted && !element.equals(address) && path.size() < MAX_DEPTH) {
        path.add(element);
      }
    }
    return List.copyOf(path);
  }

  private static boolean isBridge(String element) {
    return ADDRESS.matcher(element).matches();
  }
}
