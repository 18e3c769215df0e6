package dev.holdfast.core.topology;

import java.util.List;
import java.util.Optional;

/**
 * A device that a rank uses or that is near one: GPU, network adapter, NVMe drive.
 *
 * @param name the name tools know it by: {@code GPU0}, {@code mlx5_0}, {@code nvme0n1}
 * @param id the number or name by which a rank is given it: {@code 0} for a GPU, else the name
 * @param pci the PCI address in lower case, or empty where the source does not tell
 * @param vendor the PCI vendor in hexadecimal such as {@code 10de}, or empty
 * @param anchor the part with CPUs it hangs from; the machine itself when its place is unknown
 * @param bridges the bridges above it, outermost first; the host bridge is the first
 * @param part the part that told most of it
 */
public record Device(
    Kind kind,
    String name,
    String id,
    String pci,
    String vendor,
    Part anchor,
    List<Part> bridges,
    Part part) {

  /** The sorts of devices. */
  public enum Kind {
    GPU,
    NIC,
    NVME,
    OTHER
  }

  /** A fact of the device, such as {@code uuid}. */
  public Optional<String> fact(String factName) {
    return part.fact(factName);
  }

  @Override
  public String toString() {
    return name;
  }
}
