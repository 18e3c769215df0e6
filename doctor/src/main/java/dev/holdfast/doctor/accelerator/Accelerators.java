package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The accelerators of a node, read once when the first check asks.
 *
 * <p>Each maker has one reader that turns its library, files or tool into neutral facts.
 */
public final class Accelerators {
  private final NodeView node;
  private @org.jspecify.annotations.Nullable List<Accelerator> found;
  private NvidiaFacts nvidia = NvidiaFacts.NONE;
  private String why = "no accelerator found";

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
    List<Accelerator> list = new ArrayList<>();
    nvidia = NvidiaFacts.read(node);
    list.addAll(nvidia.devices());
    if (list.isEmpty()) {
      why = nvidia.why();
    }
    return List.copyOf(list);
  }
}
