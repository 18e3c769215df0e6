package dev.holdfast.core.topology;

import static dev.holdfast.core.topology.HwlocXml.attribute;

import dev.holdfast.core.text.XmlTree.Element;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What hwloc's XML says of bridges, PCI functions and the devices software has names for. */
final class HwlocDevices {
  private static final Pattern PCI_TYPE =
      Pattern.compile("([0-9a-fA-F]{4}) \\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\\].*");
  private static final Map<String, String> SUBTYPE_BY_NAME =
      Map.of("nvml", "NVML", "rsmi", "RSMI", "cuda", "CUDA", "opencl", "OpenCL", "ze", "LevelZero");
  private static final Set<String> FABRICS = Set.of("Slingshot", "BXI");

  private final int version;

  HwlocDevices(int version) {
    this.version = version;
  }

  void describe(Part.Builder part, Element element, PartKind kind, Map<String, String> infos) {
    if (kind == PartKind.OS_DEVICE) {
      named(part, element, infos);
      return;
    }
    if (kind == PartKind.BRIDGE) {
      part.fact(Part.BRIDGE, attribute(element, "bridge_type").startsWith("0") ? "host" : "pci");
    }
    element
        .attribute("pci_busid")
        .ifPresent(id -> part.fact(Part.PCI_ADDRESS, id.toLowerCase(Locale.ROOT)));
    Matcher type = PCI_TYPE.matcher(attribute(element, "pci_type"));
    if (type.matches()) {
      part.fact(Part.PCI_CLASS, type.group(1).toLowerCase(Locale.ROOT))
          .fact(Part.PCI_VENDOR, type.group(2).toLowerCase(Locale.ROOT))
          .fact(Part.PCI_DEVICE, type.group(3).toLowerCase(Locale.ROOT));
    }
    element
        .attribute("pci_link_speed")
        .ifPresent(speed -> part.fact("pciGigabytesPerSecond", speed));
  }

  private void named(Part.Builder part, Element element, Map<String, String> infos) {
    String subtype =
        attribute(element, "subtype").isEmpty()
            ? infos.getOrDefault("CoProcType", "")
            : attribute(element, "subtype");
    if (subtype.isEmpty()) {
      String prefix = attribute(element, "name").replaceAll("[^a-z].*", "");
      subtype = SUBTYPE_BY_NAME.getOrDefault(prefix, "");
    }
    boolean fabric = FABRICS.contains(subtype);
    if (!fabric && openFabrics(element)) {
      subtype = "OpenFabrics";
    } else if (!fabric && network(element)) {
      subtype = "Network";
    }
    part.subtype(subtype);
    part.fact(HwlocLinks.GLOBAL_NUMBER, attribute(element, "gp_index"));
  }

  private boolean openFabrics(Element element) {
    return type(element, 3, 1 << 5);
  }

  private boolean network(Element element) {
    return type(element, 2, 1 << 4);
  }

  /** Up to hwloc 2 a device has one type, a number; since 3 it has several, a bit each. */
  private boolean type(Element element, int number, int bit) {
    String text = attribute(element, "osdev_type");
    if (!text.matches("[0-9]{1,9}")) {
      return false;
    }
    int types = Integer.parseInt(text);
    return version >= 3 ? (types & bit) != 0 : types == number;
  }
}
