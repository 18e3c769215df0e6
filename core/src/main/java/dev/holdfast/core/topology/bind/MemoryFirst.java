package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The mapping of LLNL's mpibind: memory first, then caches, then cores.
 *
 * <p>Tasks are dealt to NUMA nodes, by their GPUs or, without any, by their CPUs. The tasks of a
 * node are then spread over the first level of its part of the machine (package, cache, core) that
 * has as many parts as there are threads to run, so that each thread has as much cache to itself as
 * can be; on the core level threads of a core are added until there are enough. GPUs go to the
 * tasks of the NUMA node they hang from. With fewer tasks than NUMA nodes, a greedy mapping gives
 * each task several whole nodes.
 *
 * <p>Restated from its documentation and checked against its own answers; names here are ours.
 */
public final class MemoryFirst {
  private final Topology machine;
  private final TaskRequest request;
  private final List<Part> nodes;
  private final List<Device> gpus;
  private final int coreDepth;
  private final int hardwareThreads;
  private final List<TaskBinding> tasks = new ArrayList<>();

  private MemoryFirst(Topology machine, TaskRequest request) {
    this.machine = machine;
    this.request = request;
    this.nodes = machine.numaNodes().stream().filter(node -> !ofGpu(machine, node)).toList();
    this.gpus = machine.gpus();
    this.coreDepth = machine.coreDepth();
    this.hardwareThreads = machine.threadsPerCore();
  }

  /** The binding of every task. */
  public static List<TaskBinding> map(Topology whole, TaskRequest request) {
    Topology machine = whole.condensed();
    MemoryFirst mapping = new MemoryFirst(machine, request);
    if (request.smt() > mapping.hardwareThreads) {
      throw new IllegalArgumentException(
          "smt: %d, but a core of this machine has %d hardware thread%s"
              .formatted(
                  request.smt(), mapping.hardwareThreads, mapping.hardwareThreads == 1 ? "" : "s"));
    }
    if (mapping.nodes.isEmpty()) {
      throw new IllegalArgumentException("the machine has no NUMA node");
    }
    if (request.greedy() && request.tasks() < mapping.nodes.size()) {
      mapping.wholeNodes();
    } else {
      mapping.sharedNodes();
    }
    return List.copyOf(mapping.tasks);
  }

  /**
   * Whether the node is the memory of a GPU beside that of the processor it hangs from, as on Grace
   * Hopper. It is no place to put tasks by; hwloc 2.12 leaves it out too.
   */
  private static boolean ofGpu(Topology machine, Part node) {
    return node.subtype().equals("GPUMemory")
        && machine.numaNodes().stream()
            .anyMatch(
                other ->
                    !other.subtype().equals("GPUMemory") && other.cpus().intersects(node.cpus()));
  }

  /** Fewer tasks than nodes: each gets several. */
  private void wholeNodes() {
    for (List<Part> mine : Shares.deal(nodes, request.tasks())) {
      List<Part> roots = mine.stream().map(machine::holder).toList();
      IdSet cpus = IdSet.union(roots.stream().map(Part::cpus).toList());
      List<Device> devices =
          gpus.stream()
              .filter(gpu -> roots.stream().anyMatch(root -> machine.inside(gpu.anchor(), root)))
              .toList();
      add(request.threads() > 0 ? request.threads() : cpus.count(), cpus, devices);
    }
  }

  private void sharedNodes() {
    int[] counts = Shares.weighted(request.tasks(), weights());
    for (int i = 0; i < nodes.size(); i++) {
      if (counts[i] > 0) {
        onNode(machine.holder(nodes.get(i)), counts[i]);
      }
    }
  }

  private int[] weights() {
    if (request.gpuOptimised() && !gpus.isEmpty()) {
      int[] byGpus =
          nodes.stream()
              .mapToInt(
                  node ->
                      (int)
                          gpus.stream()
                              .filter(gpu -> gpu.anchor().nodes().contains(node.number()))
                              .count())
              .toArray();
      for (int weight : byGpus) {
        if (weight > 0) {
          return byGpus;
        }
      }
    }
    int[] byCpus = nodes.stream().mapToInt(node -> node.cpus().count()).toArray();
    if (IntStream.of(byCpus).sum() == 0) {
      throw new IllegalArgumentException("no NUMA node of the machine has CPUs");
    }
    return byCpus;
  }

  private void onNode(Part root, int count) {
    List<List<Part>> levels = levels(root);
    int threads = request.threads();
    if (threads == 0) {
      threads = Math.max(1, capacity(levels) / count);
    }
    long workers = (long) threads * count;
    int depth = depth(levels, machine.depth(root), workers);
    List<Part> places = levels.get(depth);
    int perPlace = hardwareThreads(places.size(), depth, workers);
    List<List<Device>> devices =
        Shares.deal(
            gpus.stream().filter(gpu -> machine.inside(gpu.anchor(), root)).toList(), count);
    List<IdSet> cpus = deal(places, perPlace, count);
    for (int i = 0; i < count; i++) {
      add(threads, cpus.get(i), devices.get(i));
    }
  }

  /** The parts inside {@code root}, itself included, by level. */
  private List<List<Part>> levels(Part root) {
    List<List<Part>> levels = new ArrayList<>();
    machine.levels().forEach(_ -> levels.add(new ArrayList<>()));
    collect(root, levels);
    return levels;
  }

  private void collect(Part part, List<List<Part>> levels) {
    levels.get(machine.depth(part)).add(part);
    part.children().forEach(child -> collect(child, levels));
  }

  /** How many threads fit: one a core, or as many as the request asks for a core. */
  private int capacity(List<List<Part>> levels) {
    boolean allThreads = request.smt() >= hardwareThreads;
    int depth = allThreads ? machine.levels().size() - 1 : coreDepth;
    int places = levels.get(depth).size();
    boolean some = request.smt() > 1 && request.smt() < hardwareThreads;
    return some ? places * request.smt() : places;
  }

  /** The first level with a part for each thread, else the core level. */
  private int depth(List<List<Part>> levels, int from, long workers) {
    int deepest = from;
    for (int depth = from; depth <= coreDepth; depth++) {
      int places = levels.get(depth).size();
      deepest = places > 0 ? depth : deepest;
      if (request.smt() == 0 && places > 0 && places >= workers) {
        return depth;
      }
    }
    return deepest;
  }

  private int hardwareThreads(int places, int depth, long workers) {
    if (request.smt() > 0) {
      return request.smt();
    }
    if (depth != coreDepth) {
      return 1;
    }
    long needed = (workers + places - 1) / places;
    return (int) Math.min(Math.max(1, needed), hardwareThreads);
  }

  private static List<IdSet> deal(List<Part> places, int perPlace, int count) {
    List<IdSet> firsts = new ArrayList<>(places.size());
    for (Part place : places) {
      firsts.add(place.cpus().firsts(perPlace));
    }
    List<IdSet> cpus = new ArrayList<>(count);
    if (places.size() < count) {
      int[] tasksOfPlace = Shares.even(count, places.size());
      for (int i = 0; i < places.size(); i++) {
        List<IdSet> single = firsts.get(i).stream().mapToObj(IdSet::of).toList();
        Shares.deal(single, tasksOfPlace[i]).forEach(hand -> cpus.add(IdSet.union(hand)));
      }
    } else {
      Shares.deal(firsts, count).forEach(hand -> cpus.add(IdSet.union(hand)));
    }
    return cpus;
  }

  private void add(int threads, IdSet cpus, List<Device> devices) {
    tasks.add(
        new TaskBinding(
            tasks.size(), threads, cpus, LocalMemory.of(machine, cpus), devices, List.of()));
  }
}
