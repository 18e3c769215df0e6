package dev.holdfast.doctor.pcie;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The PCI functions of a node by address, with the bridges above each. */
public record PciDevices(Map<String, PciDevice> all) {
  /** The one reason every check gives where no device of interest has a PCIe link to look at. */
  static final String NONE = "no GPU, NIC or NVMe drive with a PCIe link of its own is visible";

  private static final int MAX_DEVICES = 4096;
  private static final int MAX_DEPTH = 16;

  public static PciDevices read(NodeView node) {
    Map<String, PciDevice> devices = new LinkedHashMap<>();
    for (String address : node.list("/sys/bus/pci/devices")) {
      if (devices.size() < MAX_DEVICES && isAddress(address)) {
        String folder = PciDevice.FOLDER + address;
        devices.put(
            address,
            new PciDevice(
                node,
                address,
                (int) node.number(folder + "/vendor").orElse(0),
                (int) node.number(folder + "/class").orElse(0),
                bridges(node.link(folder).orElse(""), address)));
      }
    }
    return new PciDevices(devices);
  }

  /** The addresses in {@code …/pci0000:15/0000:15:01.0/0000:1b:00.0} before the device's own. */
  private static List<String> bridges(String target, String address) {
    List<String> bridges = new ArrayList<>();
    for (String part : target.split("/")) {
      if (isAddress(part) && !part.equals(address) && bridges.size() < MAX_DEPTH) {
        bridges.add(part);
      }
    }
    return bridges;
  }

  static boolean isAddress(String text) {
    int length = text.length();
    return length >= 12
        && length <= 16
        && text.charAt(length - 2) == '.'
        && text.charAt(length - 5) == ':'
        && text.charAt(length - 8) == ':';
  }

  public Optional<PciDevice> at(String address) {
    return Optional.ofNullable(all.get(address));
  }

  public List<PciDevice> accelerators() {
    return all.values().stream().filter(PciDevice::accelerator).toList();
  }

  public List<PciDevice> network() {
    return all.values().stream().filter(PciDevice::network).toList();
  }

  /** GPUs, NICs and NVMe drives, and every bridge above one of them; else the check is skipped. */
  public List<PciDevice> requireOfInterest() {
    Set<String> wanted = new TreeSet<>();
    for (PciDevice device : all.values()) {
      if (device.accelerator() || device.network() || device.nvme()) {
        wanted.add(device.address());
        wanted.addAll(device.bridges());
      }
    }
    List<PciDevice> list = wanted.stream().map(all::get).filter(d -> d != null).toList();
    if (list.isEmpty()) {
      throw new Unavailable(NONE);
    }
    return list;
  }

  /** What sits below a bridge, for the summary: {@code GPU 0000:1b:00.0, NIC 0000:1a:00.0}. */
  public String below(PciDevice bridge) {
    List<String> names = new ArrayList<>();
    for (PciDevice device : all.values()) {
      boolean interesting = device.accelerator() || device.network() || device.nvme();
      if (interesting && device.bridges().contains(bridge.address())) {
        names.add(device.kind() + " " + device.address());
      }
    }
    return String.join(", ", names);
  }
}
