package dev.holdfast.cli.command;

import dev.holdfast.core.topology.GpuChoice;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Restriction;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.bind.PresentTask;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.libc.MemoryPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What of the machine this process may use at all, and what its children would get if nobody bound
 * them: its cpuset, its affinity, and the GPUs its environment leaves visible.
 *
 * @param live whether the plan is for this machine; a machine on paper has no limits
 */
record ThisMachine(
    boolean live, IdSet permitted, IdSet affinity, IdSet memory, Map<String, String> environment) {

  static ThisMachine paper() {
    return new ThisMachine(false, IdSet.EMPTY, IdSet.EMPTY, IdSet.EMPTY, Map.of());
  }

  static ThisMachine look() {
    try {
      return new ThisMachine(
          true,
          IdSet.copyOf(CpuAffinity.permitted()),
          IdSet.copyOf(CpuAffinity.current()),
          memoryNodes(),
          System.getenv());
    } catch (IOException refused) {
      // Nothing is known of limits then; what the kernel refuses later is told later.
      return new ThisMachine(false, IdSet.EMPTY, IdSet.EMPTY, IdSet.EMPTY, System.getenv());
    }
  }

  private static IdSet memoryNodes() {
    try {
      MemoryPolicy policy = MemoryPolicy.current();
      return policy.mode() == MemoryPolicy.Mode.DEFAULT
          ? IdSet.EMPTY
          : IdSet.copyOf(policy.nodes());
    } catch (IOException refused) {
      return IdSet.EMPTY;
    }
  }

  /** The part of the machine this process may use. */
  Topology limit(Topology machine) {
    if (!live) {
      return machine;
    }
    Topology left = machine;
    if (!permitted.containsAll(machine.cpus())) {
      left =
          new Restriction(Restriction.Of.CPUS, permitted)
              .apply(machine)
              .withNote(
                  "the cgroup of this process allows CPUs %s of %s; the others are left alone"
                      .formatted(permitted.and(machine.cpus()), machine.cpus()));
    }
    IdSet bound = affinity.and(left.cpus());
    if (!bound.equals(left.cpus())) {
      left =
          left.withNote(
              "this process is bound to CPUs %s, the plan uses all of %s that its cgroup allows; --restrict %s keeps to them"
                  .formatted(bound, left.cpus(), bound));
    }
    Optional<String> visible =
        Stream.of("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
            .filter(environment::containsKey)
            .findFirst();
    if (visible.isPresent()) {
      String value = environment.getOrDefault(visible.get(), "");
      left =
          GpuChoice.keep(left, value)
              .withNote("only the GPUs of %s=%s are used".formatted(visible.get(), value));
    }
    return left;
  }

  /** How tasks would run if they were started from here as they are. */
  Optional<List<PresentTask>> present(Topology machine, int tasks) {
    if (!live) {
      return Optional.empty();
    }
    List<String> nics = adapters(environment.getOrDefault("NCCL_IB_HCA", ""));
    List<String> gpus = machine.gpus().stream().map(gpu -> gpu.id()).toList();
    return Optional.of(
        IntStream.range(0, tasks)
            .mapToObj(
                i ->
                    new PresentTask(
                        affinity.and(machine.cpus()),
                        i < gpus.size() ? List.of(gpus.get(i)) : List.of(),
                        nics,
                        memory))
            .toList());
  }

  /** The names in NCCL_IB_HCA; a value that excludes names or matches by prefix says nothing. */
  private static List<String> adapters(String value) {
    List<String> names = new ArrayList<>();
    if (!value.startsWith("^")) {
      for (String word : value.replaceFirst("^=", "").split(",")) {
        String name = word.strip().replaceFirst(":.*", "");
        if (!name.isEmpty()) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
