package dev.holdfast.doctor.affinity;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A process that computes on one GPU, and the CPUs it may run on.
 *
 * @param name the program, up to fifteen characters
 */
record GpuUser(String process, String name, Accelerator gpu, IdSet allowed) {
  private static final int MOST = 256;
  private static final String LIST = "Cpus_allowed_list:";

  /** Those the driver lists on exactly one GPU: who uses several is near to none of them. */
  static List<GpuUser> all(NodeView node, List<Accelerator> gpus) {
    Map<String, Accelerator> single = new LinkedHashMap<>();
    Set<String> several = new HashSet<>();
    for (Accelerator gpu : gpus) {
      long count = Math.min(MOST, gpu.number("processes").orElse(0));
      for (int i = 0; i < count; i++) {
        String process = gpu.text("process." + i + ".pid").orElse("");
        if (process.matches("[1-9][0-9]{0,9}") && single.size() < MOST) {
          Accelerator before = single.putIfAbsent(process, gpu);
          if (before != null && before.index() != gpu.index()) {
            several.add(process);
          }
        }
      }
    }
    single.keySet().removeAll(several);
    List<GpuUser> users = new ArrayList<>();
    single.forEach((process, gpu) -> read(node, process, gpu).ifPresent(users::add));
    return users;
  }

  private static Optional<GpuUser> read(NodeView node, String process, Accelerator gpu) {
    String status = node.text(path(process)).orElse("");
    try {
      IdSet allowed = IdSet.parse(field(status, LIST));
      String name = field(status, "Name:");
      // The server of CUDA's multi-process service works for others.
      return allowed.isEmpty() || name.startsWith("nvidia-cuda-mps")
          ? Optional.empty()
          : Optional.of(new GpuUser(process, name, gpu, allowed));
    } catch (IllegalArgumentException garbled) {
      return Optional.empty();
    }
  }

  private static String field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> line.substring(name.length()).strip())
        .orElse("");
  }

  private static String path(String process) {
    return "/proc/" + process + "/status";
  }

  /** Where the CPUs stand, for evidence. */
  String source() {
    return path(process) + " Cpus_allowed_list";
  }
}
