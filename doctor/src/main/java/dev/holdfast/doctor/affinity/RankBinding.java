package dev.holdfast.doctor.affinity;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.system.Identity;
import dev.holdfast.doctor.topology.NodeTopology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether the processes that compute on the GPUs may run where they should: on CPUs of their GPU's
 * NUMA node, and not more of them than there are cores. Only bindings that are surely wrong are
 * told: no CPU near the GPU at all, or fewer cores than processes.
 */
public final class RankBinding implements Check {
  private static final String CPU = "/sys/devices/system/cpu/cpu";
  private static final int MOST_CORES = 128;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "affinity.ranks",
              "Are the processes on the GPUs bound to CPUs near their GPU?",
              FaultClass.USER,
              Proof.DOCUMENTED)
          .reads(
              "nvml process.*.pid",
              "/proc/PID/status",
              "/sys/devices/system/node/node*/cpulist",
              "/sys/bus/pci/devices/*/numa_node")
          .meaning(
              "A rank on the wrong side sends every copy to its GPU over the link between the"
                  + " sockets, and ranks on one core take turns. Both slow down all ranks of the"
                  + " job, which wait for each other at every step.")
          .remedy(
              "Bind the ranks by their GPU: holdfast bind plans it; with Slurm --cpus-per-task and"
                  + " --gpu-bind=closest, with torchrun --numa-binding=node");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    exam.accelerators().requireNvidia();
    if (Identity.of(exam.node()).ownProcesses()) {
      throw new Unavailable("seen from a container, which numbers processes in its own way");
    }
    List<GpuUser> users = GpuUser.all(exam.node(), exam.accelerators().all());
    if (users.isEmpty()) {
      throw new Unavailable("no process computes on one GPU");
    }
    Topology machine = NodeTopology.outline(exam.node(), exam.accelerators());
    List<GpuUser> bound =
        users.stream().filter(user -> !user.allowed().containsAll(machine.cpus())).toList();
    Set<GpuUser> told = new HashSet<>();
    crowded(exam, bound, told);
    remote(exam, machine, bound, told);
    if (bound.size() < users.size() && machine.numaNodes().size() > 1) {
      exam.info(
              exam.here(),
              "%d of %d processes on GPUs are bound to no CPUs"
                  .formatted(users.size() - bound.size(), users.size()))
          .evidence("Cpus_allowed_list", machine.cpus())
          .meaning(
              "The kernel may run them on either side of the machine, and their memory lies where"
                  + " they happened to be at first.");
    }
    if (told.isEmpty()) {
      exam.pass("%d of %d processes on GPUs are bound".formatted(bound.size(), users.size()));
    }
  }

  /** Processes that share the same CPUs, of which there are fewer cores than processes. */
  private static void crowded(Examination exam, List<GpuUser> bound, Set<GpuUser> told) {
    Map<IdSet, Set<GpuUser>> byCpus = new LinkedHashMap<>();
    for (GpuUser user : bound) {
      byCpus.computeIfAbsent(user.allowed(), _ -> new HashSet<>()).add(user);
    }
    byCpus.forEach(
        (cpus, users) -> {
          long gpus = users.stream().map(user -> user.gpu().index()).distinct().count();
          int cores = cpus.count() > MOST_CORES ? MOST_CORES : cores(exam.node(), cpus);
          if (gpus > cores) {
            told.addAll(users);
            exam.warning(
                    exam.here(),
                    "processes of %d GPUs share %s (CPUs %s)"
                        .formatted(gpus, cores == 1 ? "one core" : cores + " cores", cpus))
                .evidence("Cpus_allowed_list of processes " + numbers(users), cpus);
          }
        });
  }

  private static String numbers(Set<GpuUser> users) {
    return String.join(", ", users.stream().map(GpuUser::process).sorted().limit(16).toList());
  }

  private static int cores(NodeView node, IdSet cpus) {
    Set<String> cores = new HashSet<>();
    cpus.stream()
        .forEach(
            cpu ->
                cores.add(
                    node.text(CPU + cpu + "/topology/thread_siblings_list")
                        .orElse(Integer.toString(cpu))));
    return cores.size();
  }

  /** Processes none of whose CPUs is on the NUMA node of their GPU. */
  private static void remote(
      Examination exam, Topology machine, List<GpuUser> bound, Set<GpuUser> told) {
    Map<Integer, Device> gpus = new HashMap<>();
    machine.gpus().forEach(gpu -> gpus.put(Integer.parseInt(gpu.id()), gpu));
    for (GpuUser user : bound) {
      Device gpu = gpus.get(user.gpu().index());
      if (gpu == null || gpu.anchor() == machine.root() || told.contains(user)) {
        continue;
      }
      if (!gpu.anchor().cpus().intersects(user.allowed())) {
        told.add(user);
        exam.warning(
                user.gpu().subject(),
                "process %s (%s) is bound to CPUs %s, none of them on NUMA node %s of its GPU"
                    .formatted(user.process(), user.name(), user.allowed(), gpu.anchor().nodes()))
            .evidence(user.source(), user.allowed())
            .evidence("CPUs near " + gpu.pci(), gpu.anchor().cpus());
      }
    }
  }
}
