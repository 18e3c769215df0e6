package dev.holdfast.doctor.memory;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;

/** The NUMA nodes that have processors; those of GPUs or far memory have none. */
final class NumaNodes {
  static final String ROOT = "/sys/devices/system/node";
  private static final int MAX_NODES = 1024;

  record NumaNode(String name, String processors, Bytes memory) {}

  private NumaNodes() {}

  static List<NumaNode> read(NodeView node) {
    List<NumaNode> nodes = new ArrayList<>();
    for (String name : node.list(ROOT).stream().limit(MAX_NODES).toList()) {
      if (!name.matches("node[0-9]{1,4}")) {
        continue;
      }
      String processors = node.text(ROOT + "/" + name + "/cpulist").orElse("");
      if (!processors.isEmpty()) {
        node.read(ROOT + "/" + name + "/meminfo")
            .text()
            .ifPresent(text -> nodes.add(new NumaNode(name, processors, total(text))));
      }
    }
    return nodes;
  }

  /** Whether the node is said to have processors; where nothing is said, it is taken to. */
  static boolean hasProcessors(NodeView node, String number) {
    return node.text(ROOT + "/node" + number + "/cpulist")
        .map(list -> !list.isEmpty())
        .orElse(true);
  }

  /** The row {@code Node 0 MemTotal: 1056421332 kB}. */
  private static Bytes total(String text) {
    for (String line : text.split("\n")) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= 4
          && words[2].equals("MemTotal:")
          && words[3].length() < 16
          && words[3].chars().allMatch(Character::isDigit)) {
        return Bytes.of(Long.parseLong(words[3]) * 1024);
      }
    }
    return Bytes.of(0);
  }
}
