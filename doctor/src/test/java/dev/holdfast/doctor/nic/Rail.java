package dev.holdfast.doctor.nic;

import dev.holdfast.doctor.testing.TestNode;

/** Puts RDMA ports on a made-up node. */
final class Rail {
  private Rail() {}

  /** Ports mlx5_0, mlx5_1, … of one kind, all active at 400 Gb/s. */
  static TestNode infiniBand(int count) {
    TestNode node = new TestNode();
    for (int i = 0; i < count; i++) {
      port(node, i, "InfiniBand", "400 Gb/sec (4X NDR)");
    }
    return node;
  }

  /** The same as RoCE ports with the interfaces eth0, eth1, … */
  static TestNode ethernet(int count) {
    TestNode node = new TestNode();
    for (int i = 0; i < count; i++) {
      port(node, i, "Ethernet", "400 Gb/sec (4X NDR)");
      node.file(path(i, "gid_attrs/ndevs/0"), "eth" + i + "\n")
          .file("/sys/class/net/eth" + i + "/flags", "0x1003\n");
    }
    return node;
  }

  private static void port(TestNode node, int index, String layer, String rate) {
    String device = "/sys/class/infiniband/mlx5_" + index + "/";
    node.file(device + "hca_type", "MT4129\n")
        .file(device + "fw_ver", "28.39.1002\n")
        .file(device + "board_id", "MT_0000000838\n")
        .link(device + "device", "../../../0000:%02x:00.0".formatted(0x10 + index))
        .file(path(index, "state"), "4: ACTIVE\n")
        .file(path(index, "phys_state"), "5: LinkUp\n")
        .file(path(index, "link_layer"), layer + "\n")
        .file(path(index, "rate"), rate + "\n");
  }

  static String path(int index, String file) {
    return "/sys/class/infiniband/mlx5_" + index + "/ports/1/" + file;
  }
}
