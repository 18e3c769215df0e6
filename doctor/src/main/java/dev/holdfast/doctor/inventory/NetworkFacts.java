package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Network adapters: RDMA devices, and the Ethernet interfaces of hardware that are none of theirs.
 * An adapter without a link keeps its name but has no rate.
 */
final class NetworkFacts {
  private static final String RDMA = "/sys/class/infiniband";
  private static final String NET = "/sys/class/net";

  private NetworkFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    List<String> interfaces = node.list(NET);
    List<String> adapters = node.list(RDMA);
    if (interfaces.isEmpty() && adapters.isEmpty()) {
      return;
    }
    Set<String> theirs = new HashSet<>();
    for (String device : adapters) {
      theirs.addAll(node.list(RDMA + "/" + device + "/device/net"));
    }
    List<String> plain =
        interfaces.stream()
            .filter(name -> !theirs.contains(name))
            .filter(name -> node.link(NET + "/" + name + "/device").isPresent())
            .toList();
    sheet.add("nic.count", adapters.size() + plain.size(), "", RDMA + ", " + NET);
    sheet.add("nic.rdma.count", adapters.size(), "", RDMA);
    List<String> models = new ArrayList<>();
    List<String> firmware = new ArrayList<>();
    for (String device : adapters) {
      String folder = RDMA + "/" + device;
      String type = node.text(folder + "/hca_type").orElse("");
      models.add((type + " " + node.text(folder + "/board_id").orElse("")).strip());
      firmware.add(node.text(folder + "/fw_ver").orElse(""));
    }
    sheet.shared("nic.model", models, "", RDMA + "/*/hca_type, board_id");
    sheet.shared("nic.firmware", firmware, "", RDMA + "/*/fw_ver");
    for (String device : adapters) {
      for (String port : node.list(RDMA + "/" + device + "/ports")) {
        String path = RDMA + "/" + device + "/ports/" + port + "/rate";
        boolean up =
            node.text(RDMA + "/" + device + "/ports/" + port + "/state")
                .filter(state -> state.contains("ACTIVE"))
                .isPresent();
        String name = "nic." + device + (port.equals("1") ? "" : "." + port) + ".rate";
        sheet.add(name, node.text(path).filter(_ -> up).map(NetworkFacts::rate), path);
      }
    }
    for (String name : plain) {
      String path = NET + "/" + name + "/speed";
      sheet.add("nic." + name + ".rate", node.text(path).flatMap(NetworkFacts::speed), path);
    }
  }

  /** {@code 400 Gb/s} of {@code 400 Gb/sec (4X NDR)}. */
  private static String rate(String text) {
    int words = text.indexOf(" Gb/sec");
    return words < 0 ? text : text.substring(0, words) + " Gb/s";
  }

  /** {@code 25 Gb/s} of 25000 Mb/s; nothing for a link that is down or of unknown speed. */
  private static Optional<String> speed(String megabits) {
    if (!megabits.matches("[1-9][0-9]{0,8}")) {
      return Optional.empty();
    }
    long rate = Long.parseLong(megabits);
    return Optional.of(
        rate % 1000 == 0
            ? rate / 1000 + " Gb/s"
            : rate >= 1000 ? rate / 1000.0 + " Gb/s" : rate + " Mb/s");
  }
}
