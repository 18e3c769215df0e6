package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An accelerator as the PCI bus knows it, whether or not a driver does: what should be there.
 *
 * <p>Graphics chips of desktops and service processors are left out: of AMD and Huawei only parts
 * that call themselves processing accelerators, or are in the table of products, are counted.
 *
 * @param address such as {@code 0000:3b:00.0}
 * @param vendor {@code nvidia}, {@code amd} or {@code ascend}
 * @param product the model number in the PCI configuration, {@code 0x2330}
 * @param driver the kernel driver bound to it
 */
public record AcceleratorSlot(
    String address, String vendor, String product, Optional<String> driver) {
  private static final String DEVICES = "/sys/bus/pci/devices";
  private static final int MAX_SLOTS = 256;

  static List<AcceleratorSlot> list(NodeView node) {
    List<AcceleratorSlot> slots = new ArrayList<>();
    for (String address : node.list(DEVICES)) {
      String folder = DEVICES + "/" + address;
      String kind = node.text(folder + "/class").orElse("");
      boolean display = kind.startsWith("0x03");
      boolean processing = kind.startsWith("0x12");
      // A virtual function belongs to a virtual machine; the driver's library never lists it.
      boolean virtual = node.link(folder + "/physfn").isPresent();
      if ((display || processing) && !virtual && slots.size() < MAX_SLOTS) {
        String product = node.text(folder + "/device").orElse("");
        boolean known = processing || Product.find("amd", product).isPresent();
        String vendor =
            switch (node.text(folder + "/vendor").orElse("")) {
              case "0x10de" -> "nvidia";
              case "0x1002" -> known ? "amd" : "";
              case "0x19e5" -> processing ? "ascend" : "";
              default -> "";
            };
        if (!vendor.isEmpty()) {
          slots.add(new AcceleratorSlot(address, vendor, product, driver(node, folder)));
        }
      }
    }
    return List.copyOf(slots);
  }

  private static Optional<String> driver(NodeView node, String folder) {
    return node.link(folder + "/driver").map(target -> target.replaceAll(".*/", ""));
  }

  /** Whether a virtual machine has it: the host's driver is not meant to see it. */
  public boolean givenAway() {
    return driver.filter(name -> name.startsWith("vfio") || name.equals("pci-stub")).isPresent();
  }

  /** Whether it is a part made for servers, by its number. */
  public boolean knownProduct() {
    return Product.find(vendor, product).isPresent();
  }

  /** The folder of the device, for evidence. */
  public String folder() {
    return DEVICES + "/" + address;
  }
}
