package dev.holdfast.doctor.inventory;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The names facts of an inventory can have, in the groups in which people read them. Expectation
 * files are held against this list, so that a misspelt name is an error and not a fact that never
 * deviates.
 */
public final class FactNames {
  private FactNames() {}

  /**
   * A group of facts.
   *
   * @param key how expectation files name it
   * @param title how people read it
   */
  public record Group(String key, String title, List<String> names) {
    public Group {
      names = List.copyOf(names);
    }
  }

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "accelerators",
              "GPUs and NPUs with their firmware and driver",
              List.of(
                  "gpu.count",
                  "gpu.model",
                  "gpu.memory.bytes",
                  "gpu.compute.capability",
                  "gpu.part.number",
                  "gpu.vbios",
                  "gpu.mig.mode",
                  "gpu.ecc.mode",
                  "gpu.power.limit.watts",
                  "gpu.driver.version",
                  "cuda.driver.version")),
          new Group(
              "network",
              "Network adapters and the rates of their links",
              List.of("nic.count", "nic.rdma.count", "nic.model", "nic.firmware", "ofed.version")),
          new Group(
              "host",
              "The machine and its operating system",
              List.of(
                  "processor.model",
                  "processor.count",
                  "processor.sockets",
                  "numa.nodes",
                  "memory.bytes",
                  "system.vendor",
                  "system.product",
                  "board.vendor",
                  "board.name",
                  "bios.vendor",
                  "bios.version",
                  "bios.date",
                  "os.name",
                  "kernel.release")),
          new Group("storage", "File systems that jobs rely on, with their type", List.of()),
          new Group(
              "software",
              "Toolkits, libraries and frameworks",
              List.of(
                  "cuda.version",
                  "nccl.version",
                  "cudnn.version",
                  "container.toolkit.version",
                  "torch.version",
                  "tensorflow.version",
                  "jax.version",
                  "jaxlib.version",
                  "torch_npu.version",
                  "deepspeed.version",
                  "megatron_core.version",
                  "cann.version")),
          new Group(
              "settings",
              "Settings that change speed or safety",
              List.of(
                  "kernel.commandline",
                  "kernel.iommu",
                  "processor.governor",
                  "processor.threads.per.core",
                  "memory.hugepages.transparent",
                  "memory.hugepages.defrag")));

  private static final Pattern NIC_RATE = Pattern.compile("nic\\.[A-Za-z0-9_.-]{1,64}\\.rate");

  public static List<Group> groups() {
    return GROUPS;
  }

  /** The group a fact is read in; the last one for whatever is in no other. */
  public static Group groupOf(String name) {
    String key =
        name.startsWith("mount.")
            ? "storage"
            : NIC_RATE.matcher(name).matches()
                ? "network"
                : name.startsWith("package.") ? "software" : "";
    return GROUPS.stream()
        .filter(group -> group.key().equals(key) || group.names().contains(name))
        .findFirst()
        .orElse(GROUPS.getLast());
  }

  /** Whether an inventory can have a fact of this name. */
  public static boolean isKnown(String name) {
    return fixed().contains(name)
        || NIC_RATE.matcher(name).matches()
        || name.startsWith("mount./")
        || (name.startsWith("package.") && name.endsWith(".version"));
  }

  /** Every name that does not depend on the node. */
  public static List<String> fixed() {
    return java.util.stream.Stream.concat(
            GROUPS.stream().flatMap(group -> group.names().stream()),
            SettingFacts.KERNEL.stream().map(name -> "sysctl." + name))
        .toList();
  }
}
