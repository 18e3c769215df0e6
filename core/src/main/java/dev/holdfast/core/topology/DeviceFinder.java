package dev.holdfast.core.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the devices in the tree: one for each PCI function, however many names software gives it.
 *
 * <p>A GPU counts as usable by a rank when a management library (NVML, RSMI, Level Zero) or the
 * source itself gave it a number; one that only OpenCL, a display driver or the PCI class tells of
 * is shown but never handed out.
 */
final class DeviceFinder {
  private static final Set<String> MANAGED = Set.of("NVML", "RSMI", "LevelZero");
  private static final Set<String> RDMA = Set.of("OpenFabrics", "Slingshot", "BXI");

  private final Topology machine;
  private final Map<String, Device> found = new LinkedHashMap<>();
  private final Deque<Part> bridges = new ArrayDeque<>();
  private final Deque<Part> functions = new ArrayDeque<>();

  private DeviceFinder(Topology machine) {
    this.machine = machine;
  }

  static List<Device> find(Topology machine) {
    DeviceFinder finder = new DeviceFinder(machine);
    finder.walk(machine.root());
    return List.copyOf(finder.found.values());
  }

  private void walk(Part part) {
    part.children().forEach(this::walk);
    part.io().forEach(this::walkIo);
  }

  private void walkIo(Part part) {
    switch (part.kind()) {
      case BRIDGE -> {
        bridges.addLast(part);
        part.io().forEach(this::walkIo);
        bridges.removeLast();
      }
      case PCI_DEVICE -> {
        functions.addLast(part);
        part.io().forEach(this::walkIo);
        functions.removeLast();
        byClass(part);
      }
      case OS_DEVICE -> named(part, functions.peekLast());
      default -> {}
    }
  }

  /** A device that software has a name for. */
  private void named(Part part, @Nullable Part function) {
    switch (kind(part)) {
      case GPU -> {
        if (function != null) {
          put(Device.Kind.GPU, gpuName(part), number(part), part, function);
        }
      }
      case NIC -> put(Device.Kind.NIC, part.name(), part.name(), part, function);
      case NVME -> put(Device.Kind.NVME, part.name(), part.name(), part, function);
      case OTHER -> {}
    }
  }

  /** Whether a management library told of this GPU. */
  static boolean managed(Part part) {
    return MANAGED.contains(part.subtype());
  }

  static String gpuName(Part part) {
    return "GPU" + number(part);
  }

  /** All digits of the name: 0 for nvml0. */
  private static String number(Part part) {
    return part.name().replaceAll("[^0-9]", "");
  }

  private static Device.Kind kind(Part part) {
    if (managed(part)) {
      return Device.Kind.GPU;
    }
    if (RDMA.contains(part.subtype())) {
      return Device.Kind.NIC;
    }
    if (part.name().startsWith("nvme")) {
      return Device.Kind.NVME;
    }
    return Device.Kind.OTHER;
  }

  /** A function that no software told of, by its PCI class. */
  private void byClass(Part function) {
    String address = function.fact(Part.PCI_ADDRESS).orElse("");
    if (address.isEmpty() || found.containsKey(address)) {
      return;
    }
    String pciClass = function.fact(Part.PCI_CLASS).orElse("");
    String vendor = function.fact(Part.PCI_VENDOR).orElse("");
    boolean display = pciClass.equals("0302") || pciClass.equals("0380") || pciClass.equals("0300");
    boolean gpu = pciClass.startsWith("12") || display && Set.of("10de", "1002").contains(vendor);
    if (gpu) {
      put(Device.Kind.GPU, "GPU " + address, "", function, function);
    } else if (pciClass.equals("0207")) {
      put(Device.Kind.NIC, address, address, function, function);
    }
  }

  private void put(Device.Kind kind, String name, String id, Part part, @Nullable Part function) {
    String address = function == null ? "" : function.fact(Part.PCI_ADDRESS).orElse("");
    Device fresh =
        new Device(
            kind,
            name,
            id,
            address,
            function == null ? "" : function.fact(Part.PCI_VENDOR).orElse(""),
            machine.holder(part),
            Collections.unmodifiableList(new ArrayList<>(bridges)),
            part);
    found.merge(
        address.isEmpty() ? name : address,
        fresh,
        (old, more) -> old.kind() == Device.Kind.OTHER ? more : old);
  }
}
