package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One function of the PCI tree.
 *
 * @param address such as {@code 0000:1b:00.0}
 * @param code class, subclass and interface, {@code 0x030200}
 * @param bridges the addresses above it, from the root port down to its parent
 */
public record PciDevice(NodeView node, String address, int vendor, int code, List<String> bridges) {
  static final String FOLDER = "/sys/bus/pci/devices/";
  static final int NVIDIA = 0x10de;
  static final int AMD = 0x1002;
  static final int MELLANOX = 0x15b3;
  static final int HUAWEI = 0x19e5;

  public PciDevice {
    bridges = List.copyOf(bridges);
  }

  public Subject subject() {
    return new Subject.Node(node.name()).part("pci", address);
  }

  public String path(String file) {
    return FOLDER + address + "/" + file;
  }

  public boolean bridge() {
    return code >> 8 == 0x0604;
  }

  /** A display, 3D or processing accelerator of a maker of training hardware. */
  public boolean accelerator() {
    boolean display = code >> 8 == 0x0302 || code >> 8 == 0x0300 || code >> 8 == 0x0380;
    return display && (vendor == NVIDIA || vendor == AMD) || code >> 8 == 0x1200;
  }

  /** An Ethernet or InfiniBand adapter. */
  public boolean network() {
    return code >> 8 == 0x0200 || code >> 8 == 0x0207;
  }

  public boolean nvme() {
    return code >> 8 == 0x0108;
  }

  /** The word an operator uses for it. */
  public String kind() {
    if (accelerator()) {
      return "GPU";
    }
    return network() ? "NIC" : nvme() ? "NVMe drive" : bridge() ? "bridge" : "device";
  }

  /** The bridge right above it. */
  public Optional<String> parent() {
    return bridges.isEmpty() ? Optional.empty() : Optional.of(bridges.getLast());
  }

  /** Gigatransfers per second of {@code 32.0 GT/s PCIe}; nothing when unknown. */
  public OptionalDouble speed(String file) {
    String text = node.text(path(file)).orElse("");
    int space = text.indexOf(' ');
    try {
      double value = space <= 0 ? 0 : Double.parseDouble(text.substring(0, space));
      return value > 0 ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Lanes; nothing when the device has no link (0) or does not know (63, 255). */
  public OptionalInt lanes(String file) {
    long lanes = node.number(path(file)).orElse(0);
    return lanes >= 1 && lanes <= 32 ? OptionalInt.of((int) lanes) : OptionalInt.empty();
  }

  /** The NUMA node, negative when the firmware does not say. */
  public int numaNode() {
    return (int) node.number(path("numa_node")).orElse(-1);
  }

  /** The bound driver's name. */
  public Optional<String> driver() {
    return node.link(path("driver")).map(target -> target.substring(target.lastIndexOf('/') + 1));
  }
}
