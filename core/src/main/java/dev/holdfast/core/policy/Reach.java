package dev.holdfast.core.policy;

import java.util.Set;

/** How far a kind of cause reaches: one node, or what many nodes share. */
public final class Reach {
  private static final Set<String> ONE_NODE =
      Set.of(
          "node",
          "gpu",
          "npu",
          "nic",
          "disk",
          "mount",
          "pci",
          "pci-switch",
          "memory",
          "numa",
          "processor",
          "interface",
          "process",
          "service");

  private static final Set<String> MANY_NODES =
      Set.of(
          "leaf", "rail", "power", "rack", "volume", "driver", "kernel", "job", "link", "port",
          "source");

  private Reach() {}

  /** Nothing is done to single nodes about these: people look at what the nodes share. */
  public static boolean wide(String kind) {
    return MANY_NODES.contains(kind);
  }

  /** Whether that is a kind our own incidents have. */
  static boolean known(String kind) {
    return ONE_NODE.contains(kind) || wide(kind);
  }

  static Set<String> kinds() {
    Set<String> all = new java.util.TreeSet<>(ONE_NODE);
    all.addAll(MANY_NODES);
    return all;
  }
}
