package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One port of one RDMA device, read from sysfs as far as a check asks: some of these files cost a
 * command to the adapter's firmware, so nothing is read ahead.
 *
 * @param device such as {@code mlx5_0}
 */
public record RdmaPort(NodeView node, String device, int number) {
  private static final String CLASS = "/sys/class/infiniband/";

  public Subject subject() {
    return new Subject.Node(node.name()).nic(device, number);
  }

  /** The name in summaries and details: {@code mlx5_0/1}. */
  public String name() {
    return device + "/" + number;
  }

  /** A file of the device, such as {@code fw_ver}. */
  public String devicePath(String file) {
    return CLASS + device + "/" + file;
  }

  /** A file of the port, such as {@code state}. */
  public String path(String file) {
    return CLASS + device + "/ports/" + number + "/" + file;
  }

  public Optional<String> text(String file) {
    return node.text(path(file));
  }

  /** {@code ACTIVE} of {@code 4: ACTIVE}; empty when unreadable. */
  public String state() {
    return word("state");
  }

  /** {@code LinkUp} of {@code 5: LinkUp}; empty when unreadable. */
  public String physicalState() {
    return word("phys_state");
  }

  private String word(String file) {
    String text = text(file).orElse("");
    int colon = text.indexOf(':');
    return text.substring(colon + 1).strip();
  }

  public boolean active() {
    return state().equals("ACTIVE");
  }

  /** {@code InfiniBand}, {@code Ethernet} or what another maker writes. */
  public String linkLayer() {
    return text("link_layer").orElse("unknown");
  }

  public boolean ethernet() {
    return linkLayer().equals("Ethernet");
  }

  /** Gigabits per second of {@code 400 Gb/sec (4X NDR)}. */
  public OptionalDouble gigabits() {
    String rate = text("rate").orElse("");
    int space = rate.indexOf(' ');
    try {
      return space <= 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(Double.parseDouble(rate.substring(0, space)));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  public OptionalLong counter(String file) {
    return node.number(path(file));
  }

  /** The model, such as {@code MT4129}; makers other than NVIDIA may write nothing. */
  public String model() {
    return node.text(devicePath("hca_type")).orElse("unknown");
  }

  /** The PCI address, {@code 0000:1a:00.0}; software devices have none. */
  public Optional<String> pciAddress() {
    return node.link(devicePath("device"))
        .map(target -> target.substring(target.lastIndexOf('/') + 1))
        .filter(address -> address.length() == 12 && address.charAt(4) == ':');
  }

  /** The network interface of this port, if one is visible here. */
  public Optional<String> netDevice() {
    Optional<String> named = text("gid_attrs/ndevs/0").filter(name -> !name.isEmpty());
    if (named.isPresent()) {
      return named;
    }
    List<String> interfaces = node.list(devicePath("device/net"));
    return interfaces.stream().filter(this::isMine).findFirst();
  }

  private boolean isMine(String netDevice) {
    String folder = "/sys/class/net/" + netDevice + "/";
    long index =
        Math.max(
            node.number(folder + "dev_id").orElse(0), node.number(folder + "dev_port").orElse(0));
    return index + 1 == number;
  }

  /** The name of this port's rate in the site's expected inventory. */
  public String expectedRate() {
    return "nic." + device + (number == 1 ? "" : "." + number) + ".rate";
  }

  /**
   * Ports that ought to be alike: same model, same link layer, same place on the card. Two-port
   * cards with only the first port cabled are thereby not compared with themselves.
   */
  public String kind() {
    String function = pciAddress().map(address -> address.substring(11)).orElse("0");
    return model() + " " + linkLayer() + " " + function + "/" + number;
  }
}
