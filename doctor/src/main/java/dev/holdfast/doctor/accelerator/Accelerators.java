package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The accelerators of a node, read once when the first check asks.
 *
 * <p>Each maker has one reader that turns its library, files or tool into neutral facts. Beside
 * them stands what the PCI bus shows, since a lost device is missing from the first and not from
 * the second.
 */
public final class Accelerators {
  private static final String NONE = "no accelerator on the node";

  private final NodeView node;
  private @Nullable List<Accelerator> found;
  private List<AcceleratorSlot> slots = List.of();
  private NvidiaFacts nvidia = NvidiaFacts.NONE;
  private String why = NONE;

  public Accelerators(NodeView node) {
    this.node = node;
  }

  public synchronized List<Accelerator> all() {
    List<Accelerator> present = found;
    if (present == null) {
      present = read();
      found = present;
    }
    return present;
  }

  /** The devices, or the check is skipped with the reason why there are none. */
  public List<Accelerator> require() {
    List<Accelerator> present = all();
    if (present.isEmpty()) {
      throw new Unavailable(why);
    }
    return present;
  }

  /** What the PCI bus shows, or the check is skipped because neither it nor a driver has any. */
  public List<AcceleratorSlot> requireHardware() {
    if (slots().isEmpty() && all().isEmpty() && !nvidia.libraryPresent()) {
      throw new Unavailable(why);
    }
    return slots;
  }

  /** NVIDIA's facts about the driver and the library, or the check is skipped. */
  public NvidiaFacts requireNvidia() {
    all();
    if (!nvidia.libraryPresent()) {
      throw new Unavailable(nvidia.why());
    }
    return nvidia;
  }

  public NvidiaFacts nvidia() {
    all();
    return nvidia;
  }

  /** The accelerators on the PCI bus, whether a driver knows them or not. */
  public List<AcceleratorSlot> slots() {
    all();
    return slots;
  }

  public Iterable<String> models() {
    return new TreeSet<>(all().stream().map(Accelerator::model).toList());
  }

  /** The device at a PCI address such as {@code 0000:3b:00.0}. */
  public Optional<Accelerator> at(String pciAddress) {
    return all().stream()
        .filter(device -> device.text("pci.address").filter(pciAddress::equals).isPresent())
        .findFirst();
  }

  private List<Accelerator> read() {
    slots = AcceleratorSlot.list(node);
    nvidia = NvidiaFacts.read(node);
    AscendFacts ascend = AscendFacts.read(node, slots);
    List<Accelerator> list = new ArrayList<>(withLostAddress(nvidia.devices()));
    list.addAll(AmdFacts.read(node, slots));
    list.addAll(ascend.devices());
    if (list.isEmpty()) {
      boolean isAscend = slots.stream().anyMatch(slot -> slot.vendor().equals("ascend"));
      boolean none = slots.isEmpty() && !nvidia.libraryPresent();
      why = isAscend ? ascend.why() : none ? NONE : nvidia.why();
    }
    return List.copyOf(list);
  }

  /**
   * A device that is lost no longer tells its PCI address; if it is the only one, it must be the
   * one on the bus which no other device claims.
   */
  private List<Accelerator> withLostAddress(List<Accelerator> devices) {
    List<Accelerator> silent =
        devices.stream().filter(device -> device.text("pci.address").isEmpty()).toList();
    List<String> free =
        slots.stream()
            .filter(slot -> slot.vendor().equals("nvidia") && !slot.givenAway())
            .map(AcceleratorSlot::address)
            .filter(address -> devices.stream().noneMatch(device -> device.key().equals(address)))
            .toList();
    if (silent.size() != 1 || free.size() != 1) {
      return devices;
    }
    return devices.stream()
        .map(
            device ->
                device == silent.getFirst() ? device.with("pci.address", free.getFirst()) : device)
        .toList();
  }
}
