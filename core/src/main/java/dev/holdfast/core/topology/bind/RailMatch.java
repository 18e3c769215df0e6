package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The policy for training on GPUs: rank i has GPU i, the adapter on that GPU's switch, cores and
 * memory of its NUMA node.
 *
 * <p>Unlike {@link MemoryFirst} it never reorders GPUs: software numbers ranks and GPUs alike, and
 * the same rank must be on the same rail on every node. With fewer ranks than GPUs a rank has
 * several in a row, with more, neighbours share one.
 */
public final class RailMatch {
  private final Topology machine;
  private final RailRequest request;
  private final RailPlaces places;
  private final List<Device> gpus;
  private final List<String> notes = new ArrayList<>();

  private RailMatch(Topology machine, RailRequest request) {
    this.machine = machine;
    this.request = request;
    this.places = new RailPlaces(machine);
    this.gpus = RailPlaces.gpus(machine);
  }

  /**
   * The plan.
   *
   * @param present how the ranks are bound now, in their order
   */
  public static RailPlan plan(
      Topology machine, RailRequest request, Optional<List<PresentTask>> present) {
    return new RailMatch(machine, request).plan(present);
  }

  private RailPlan plan(Optional<List<PresentTask>> present) {
    if (gpus.isEmpty()) {
      throw new IllegalArgumentException(
          "the rail policy goes by GPUs, and this machine has none that a management library"
              + " numbers. Use the default policy, which goes by memory and caches");
    }
    List<RailNic> nics = RailAdapters.judge(machine, gpus, request);
    List<Device> usable = nics.stream().filter(RailNic::usable).map(RailNic::device).toList();
    List<List<Device>> nicsOfGpu = RailPairs.match(machine, gpus, nics);
    List<TaskBinding> tasks = tasks(nicsOfGpu);
    noteNics(nics, usable);
    List<RailRank> planned = tasks.stream().map(RailRank::of).toList();
    RailProblems problems = new RailProblems(machine, places, nics, planned);
    List<RailRank> now =
        present
            .map(list -> resolve(list, planned, nics, problems))
            .orElseGet(() -> unbound(planned));
    if (present.isPresent()) {
      problems.find(now);
    }
    return new RailPlan(
        tasks,
        nics,
        notes,
        problems.sentences(),
        ScoreSheet.of(machine, places, usable, chosen(now, nicsOfGpu)),
        ScoreSheet.of(machine, places, usable, planned));
  }

  private List<TaskBinding> tasks(List<List<Device>> nicsOfGpu) {
    List<List<Device>> gpusOfRank = Shares.deal(gpus, request.tasks());
    List<List<IdSet>> cores =
        RailCores.deal(machine, places, gpusOfRank, request.reservedCores(), notes);
    if (places.guessed()) {
      notes.add("hardware threads are paired by their numbers: the source tells nothing of cores");
    }
    List<TaskBinding> tasks = new ArrayList<>();
    int crowded = 0;
    for (int rank = 0; rank < request.tasks(); rank++) {
      IdSet cpus = IdSet.union(cores.get(rank));
      int threads = request.threads() > 0 ? request.threads() : cores.get(rank).size();
      crowded += threads > cpus.count() ? 1 : 0;
      tasks.add(
          new TaskBinding(
              rank,
              threads,
              cpus,
              LocalMemory.of(machine, cpus),
              gpusOfRank.get(rank),
              nics(gpusOfRank.get(rank), nicsOfGpu)));
    }
    if (crowded > 0) {
      notes.add(
          "%d threads a rank are more than the CPUs of %d rank%s"
              .formatted(request.threads(), crowded, crowded == 1 ? "" : "s"));
    }
    if (request.tasks() > gpus.size()) {
      notes.add(
          "%d ranks share %d GPU%s"
              .formatted(request.tasks(), gpus.size(), gpus.size() == 1 ? "" : "s"));
    }
    return tasks;
  }

  private void noteNics(List<RailNic> nics, List<Device> usable) {
    request.excludedNics().stream()
        .filter(
            name -> nics.stream().noneMatch(nic -> RailAdapters.named(Set.of(name), nic.device())))
        .sorted()
        .forEach(name -> notes.add("there is no adapter %s to exclude".formatted(name)));
    if (nics.isEmpty()) {
      notes.add("there is no RDMA adapter: no adapter is chosen");
    } else if (usable.isEmpty()) {
      notes.add("none of the %d adapters is usable: no adapter is chosen".formatted(nics.size()));
    }
    usable.stream()
        .map(RailPlan::unfit)
        .filter(why -> !why.isEmpty())
        .findFirst()
        .ifPresent(why -> notes.add("NCCL_IB_HCA and UCX_NET_DEVICES are not set: " + why));
  }

  /** Where the choice is left to NCCL, what it would choose: the nearest, as the plan does. */
  private List<RailRank> chosen(List<RailRank> ranks, List<List<Device>> nicsOfGpu) {
    return ranks.stream()
        .map(
            rank ->
                rank.nics().isEmpty()
                    ? new RailRank(
                        rank.cpus(), rank.gpus(), nics(rank.gpus(), nicsOfGpu), rank.memory())
                    : rank)
        .toList();
  }

  private List<Device> nics(List<Device> own, List<List<Device>> nicsOfGpu) {
    Set<Device> nics = new LinkedHashSet<>();
    own.forEach(gpu -> nics.addAll(nicsOfGpu.get(gpus.indexOf(gpu))));
    return List.copyOf(nics);
  }

  /** Ranks started without any binding: all CPUs, adapters left to NCCL. */
  private List<RailRank> unbound(List<RailRank> planned) {
    return planned.stream()
        .map(rank -> new RailRank(machine.cpus(), rank.gpus(), List.of(), IdSet.EMPTY))
        .toList();
  }

  private List<RailRank> resolve(
      List<PresentTask> present,
      List<RailRank> planned,
      List<RailNic> nics,
      RailProblems problems) {
    List<Device> adapters = nics.stream().map(RailNic::device).toList();
    List<RailRank> now = new ArrayList<>();
    for (int rank = 0; rank < present.size(); rank++) {
      PresentTask task = present.get(rank);
      List<Device> own = problems.known(rank, gpus, task.gpuIds(), "GPU");
      if (task.gpuIds().isEmpty() && rank < planned.size()) {
        own = planned.get(rank).gpus();
      }
      now.add(
          new RailRank(
              task.cpus(),
              own,
              problems.known(rank, adapters, task.nics(), "adapter"),
              held(task.memory())));
    }
    return now;
  }

  /** The kernel names all NUMA nodes where memory is not bound. */
  private IdSet held(IdSet memory) {
    boolean everywhere =
        machine.numaNodes().stream().allMatch(node -> memory.contains(node.number()));
    return everywhere ? IdSet.EMPTY : memory;
  }
}
