package dev.holdfast.doctor.pcie;

import dev.holdfast.doctor.node.NodeView;
import java.util.Locale;

/** Is this a machine of its own, or a guest of another? */
final class Platform {
  private static final String[] GUESTS = {
    "qemu", "kvm", "virtual machine", "vmware", "virtualbox", "xen", "bochs", "compute engine"
  };

  private Platform() {}

  /** Whether the processors are Arm's, such as NVIDIA Grace. */
  static boolean arm(NodeView node) {
    return node.read("/proc/cpuinfo").text().orElse("").contains("CPU implementer");
  }

  /** Whether a hypervisor shows itself: by the processor's flag, or by the firmware's names. */
  static boolean guest(NodeView node) {
    String processors = node.read("/proc/cpuinfo").text().orElse("");
    int flags = processors.indexOf("\nflags");
    if (flags >= 0) {
      int end = processors.indexOf('\n', flags + 1);
      String line = processors.substring(flags, end < 0 ? processors.length() : end);
      return (line + " ").contains(" hypervisor ");
    }
    String product =
        (node.text("/sys/class/dmi/id/sys_vendor").orElse("")
                + " "
                + node.text("/sys/class/dmi/id/product_name").orElse(""))
            .toLowerCase(Locale.ROOT);
    for (String guest : GUESTS) {
      if (product.contains(guest)) {
        return true;
      }
    }
    return false;
  }
}
