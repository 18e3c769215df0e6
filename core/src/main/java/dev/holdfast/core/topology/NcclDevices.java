package dev.holdfast.core.topology;

import dev.holdfast.core.text.PciAddress;
import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The PCI functions of an NCCL topology file.
 *
 * <p>Files that come with a machine name neither GPUs nor adapters. GPUs are then numbered by PCI
 * address, as the driver numbers them; adapters keep their PCI address for a name.
 */
final class NcclDevices {
  private static final int MAX_DEVICES = 1024;
  private static final int MAX_PORTS = 8;
  private static final String NVIDIA = "10de";
  private static final String AMD = "1002";

  private final List<String> notes;
  private final Map<Element, Integer> numbers = new IdentityHashMap<>();
  private final List<Gpu> gpus = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private int devices;
  private boolean unnamedAdapters;
  private boolean sockets;

  /** A GPU of the file. */
  record Gpu(Element function, String address, int told) {}

  private NcclDevices(List<String> notes) {
    this.notes = notes;
  }

  static NcclDevices of(List<Element> roots, List<String> notes) {
    NcclDevices devices = new NcclDevices(notes);
    roots.forEach(devices::collect);
    devices.number();
    return devices;
  }

  private void collect(Element element) {
    if (element.name().equals("pci") && isGpu(element)) {
      List<Element> told = element.children("gpu");
      String dev = told.isEmpty() ? "" : told.getFirst().attribute("dev").orElse("");
      int number = dev.matches("[0-9]{1,4}") ? Integer.parseInt(dev) : -1;
      gpus.add(new Gpu(element, address(element), number));
    }
    devices += element.children("pci").isEmpty() ? element.children("nic").size() + 1 : 0;
    if (devices > MAX_DEVICES) {
      throw NcclXml.wrong(element, "more than " + MAX_DEVICES + " devices; no machine has that");
    }
    element.children("pci").forEach(this::collect);
  }

  private void number() {
    gpus.sort(Comparator.comparing(gpu -> sortable(gpu.address)));
    Set<Integer> told = new HashSet<>();
    gpus.stream().filter(gpu -> gpu.told >= 0).forEach(gpu -> told.add(gpu.told));
    boolean all = told.size() == gpus.size();
    for (int i = 0; i < gpus.size(); i++) {
      numbers.put(gpus.get(i).function, all ? gpus.get(i).told : i);
    }
    if (!all) {
      notes.add(
          told.isEmpty()
              ? "GPUs are numbered by PCI address, as nvidia-smi does: the file gives no numbers"
              : "GPUs are numbered by PCI address: the file numbers only some, or some alike");
    }
  }

  /** The GPUs by PCI address, with the number each goes by. */
  Map<String, Integer> gpus() {
    Map<String, Integer> byAddress = new java.util.LinkedHashMap<>();
    gpus.forEach(gpu -> byAddress.put(gpu.address, numbers.getOrDefault(gpu.function, -1)));
    return byAddress;
  }

  /** The elements that tell of a GPU's links to other GPUs. */
  List<Element> nvlinks(String address) {
    List<Element> found = new ArrayList<>();
    for (Gpu gpu : gpus) {
      if (gpu.address.equals(address)) {
        found.addAll(links(gpu, "nvlink"));
        found.addAll(links(gpu, "xgmi"));
      }
    }
    return found;
  }

  private static List<Element> links(Gpu gpu, String sort) {
    return gpu.function.children("gpu").stream()
        .flatMap(told -> told.children(sort).stream())
        .toList();
  }

  /** A switch with all below it, or a device; nothing where the switch is empty. */
  List<Part> function(Element pci) {
    List<Part> inside = new ArrayList<>();
    pci.children("pci").forEach(child -> inside.addAll(function(child)));
    List<Part> own = device(pci);
    if (inside.isEmpty()) {
      return own;
    }
    return List.of(
        Part.of(PartKind.BRIDGE)
            .fact(Part.BRIDGE, "pci")
            .fact(Part.PCI_ADDRESS, address(pci))
            .addAll(own)
            .addAll(inside)
            .build());
  }

  private List<Part> device(Element pci) {
    Integer number = numbers.get(pci);
    if (number != null) {
      String vendor = vendor(pci);
      boolean nvidia = vendor.equals(NVIDIA);
      Part gpu =
          Part.of(PartKind.OS_DEVICE)
              .name((nvidia ? "nvml" : "rsmi") + number)
              .subtype(nvidia ? "NVML" : "RSMI")
              .build();
      return List.of(described(pci).fact(Part.PCI_VENDOR, vendor).add(gpu).build());
    }
    List<Part> adapters = new ArrayList<>();
    pci.children("nic").forEach(nic -> adapters.addAll(adapters(nic)));
    if (adapters.isEmpty() && pciClass(pci).startsWith("02")) {
      unnamedAdapters = true;
      adapters.add(Part.of(PartKind.OS_DEVICE).name(address(pci)).subtype("OpenFabrics").build());
    }
    List<Part> functions = new ArrayList<>();
    for (Part adapter : adapters) {
      // NCCL writes the ports of a card into one function; only the first can have its address.
      Part.Builder function = functions.isEmpty() ? described(pci) : Part.of(PartKind.PCI_DEVICE);
      functions.add(function.add(adapter).build());
    }
    return functions;
  }

  /** The adapters inside a {@code <nic>}. */
  List<Part> adapters(Element nic) {
    List<Part> adapters = new ArrayList<>();
    for (Element net : nic.children("net")) {
      String name = net.attribute("name").orElse("");
      if (name.isEmpty() || adapters.size() >= MAX_PORTS || !names.add(name)) {
        continue;
      }
      boolean socket = socket(net, name);
      sockets |= socket;
      Part.Builder adapter =
          Part.of(PartKind.OS_DEVICE).name(name).subtype(socket ? "Network" : "OpenFabrics");
      net.attribute("speed")
          .filter(speed -> speed.matches("[0-9]{4,9}"))
          .ifPresent(speed -> adapter.fact("rateGbps", Integer.parseInt(speed) / 1000));
      net.attribute("port").ifPresent(port -> adapter.fact("port", port));
      adapters.add(adapter.build());
    }
    return adapters;
  }

  /** Whether NCCL uses it through TCP: such an interface has no GUID. */
  private static boolean socket(Element net, String name) {
    return net.attribute("guid")
        .map(guid -> guid.matches("0x0+"))
        .orElseGet(() -> name.matches("(eth|en|ib|bond|br|lo|vlan|wl)[0-9].*|en[opsx].*|lo"));
  }

  /** Says what the file left open; called when all functions are read. */
  void note() {
    if (unnamedAdapters) {
      notes.add("the file does not name the adapters; they go by their PCI address");
    }
    if (sockets) {
      notes.add("the file tells of an interface that NCCL uses through TCP; it is no RDMA adapter");
    }
    if (gpus.stream().anyMatch(gpu -> !links(gpu, "xgmi").isEmpty())) {
      notes.add("XGMI links between GPUs are shown as NV");
    }
    boolean dump =
        gpus.stream()
            .flatMap(gpu -> gpu.function.children("gpu").stream())
            .anyMatch(gpu -> gpu.attribute("rank").isPresent());
    if (dump) {
      notes.add("a job wrote the file: it tells only of the devices that this job used");
    }
  }

  private static Part.Builder described(Element pci) {
    return Part.of(PartKind.PCI_DEVICE)
        .fact(Part.PCI_ADDRESS, address(pci))
        .fact(Part.PCI_CLASS, pciClass(pci))
        .fact(Part.PCI_VENDOR, hex(pci, "vendor"))
        .fact(Part.PCI_DEVICE, hex(pci, "device"));
  }

  private static boolean isGpu(Element pci) {
    return !pci.children("gpu").isEmpty()
        || pciClass(pci).matches("030[02]|0380|12..") && pci.children("pci").isEmpty();
  }

  private static String vendor(Element pci) {
    String told = hex(pci, "vendor");
    if (!told.isEmpty() && !told.equals("0000")) {
      return told;
    }
    return pciClass(pci).matches("030[02]") ? NVIDIA : AMD;
  }

  /** The first four digits: {@code 0302} of {@code 0x030200}. */
  private static String pciClass(Element pci) {
    String hex = hex(pci, "class");
    return hex.length() > 4 ? hex.substring(0, 4) : hex;
  }

  private static String hex(Element pci, String attribute) {
    String text = pci.attribute(attribute).orElse("").toLowerCase(Locale.ROOT);
    return text.matches("0x[0-9a-f]{4,8}") ? text.substring(2) : "";
  }

  private static String address(Element pci) {
    String text = pci.attribute("busid").orElse("");
    return PciAddress.normalise(text)
        .orElseThrow(
            () ->
                NcclXml.wrong(
                    pci,
                    "busid '"
                        + NcclXml.shown(text)
                        + "' is not a PCI address such as 0000:1b:00.0"));
  }

  /** Longer domains last. */
  private static String sortable(String address) {
    return "0".repeat(Math.max(0, 16 - address.length())) + address;
  }
}
