package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is wrong with the way ranks are bound, in sentences that say what to do. */
final class RailProblems {
  private static final int MAX_SENTENCES = 64;

  private final Topology machine;
  private final RailPlaces places;
  private final List<RailNic> nics;
  private final List<Device> usable;
  private final List<RailRank> planned;
  private final List<String> found = new ArrayList<>();
  private int more;

  RailProblems(Topology machine, RailPlaces places, List<RailNic> nics, List<RailRank> planned) {
    this.machine = machine;
    this.places = places;
    this.nics = nics;
    this.usable = nics.stream().filter(RailNic::usable).map(RailNic::device).toList();
    this.planned = planned;
  }

  /** The devices of these names; one the machine does not have is a problem. */
  List<Device> known(int rank, List<Device> devices, List<String> names, String sort) {
    List<Device> known = new ArrayList<>();
    for (String name : names) {
      RailPlaces.named(devices, name)
          .ifPresentOrElse(
              known::add,
              () -> say("rank %d has %s %s, which this machine does not have", rank, sort, name));
    }
    return known;
  }

  void find(List<RailRank> now) {
    if (now.size() != planned.size()) {
      say("%d ranks are bound, but the plan is for %d", now.size(), planned.size());
    }
    for (int rank = 0; rank < now.size(); rank++) {
      cpus(rank, now.get(rank));
      memory(rank, now.get(rank));
      adapters(rank, now.get(rank));
    }
    sharedCores(now);
    sharedGpus(now);
    overloaded(now);
  }

  List<String> sentences() {
    List<String> all = new ArrayList<>(found);
    if (more > 0) {
      all.add("and %d more".formatted(more));
    }
    return all;
  }

  private void say(String sentence, Object... values) {
    if (found.size() < MAX_SENTENCES) {
      found.add(sentence.formatted(values));
    } else {
      more++;
    }
  }

  /** The rank of the plan that has the same GPUs. */
  private Optional<RailRank> plan(int rank, RailRank now) {
    return rank < planned.size() && planned.get(rank).gpus().equals(now.gpus())
        ? Optional.of(planned.get(rank))
        : planned.stream().filter(task -> task.gpus().equals(now.gpus())).findFirst();
  }

  private void cpus(int rank, RailRank now) {
    IdSet local = places.cpus(now.gpus());
    IdSet remote = now.cpus().without(local);
    if (local.isEmpty() || remote.isEmpty()) {
      return;
    }
    say(
        "rank %d: %s of its %d CPUs are away from NUMA node %s, where %s; bind it to CPUs %s",
        rank,
        remote.count() == now.cpus().count() ? "all" : Integer.toString(remote.count()),
        now.cpus().count(),
        places.nodes(now.gpus()),
        names(now.gpus()) + (now.gpus().size() == 1 ? " is" : " are"),
        plan(rank, now).map(RailRank::cpus).orElse(local));
  }

  private void memory(int rank, RailRank now) {
    IdSet local = places.nodes(now.gpus());
    if (!local.isEmpty() && !local.containsAll(now.memory())) {
      say(
          "rank %d: its memory may come from NUMA node %s, but %s local to node %s; bind it there",
          rank,
          now.memory(),
          names(now.gpus()) + (now.gpus().size() == 1 ? " is" : " are"),
          plan(rank, now).map(RailRank::memory).orElse(local));
    }
  }

  private void adapters(int rank, RailRank now) {
    List<Device> own = plan(rank, now).map(RailRank::nics).orElse(List.of());
    String remedy = own.isEmpty() ? "leave the choice to NCCL" : "use " + names(own);
    for (Device nic : now.nics()) {
      if (!usable.contains(nic)) {
        String why =
            nics.stream()
                .filter(judged -> judged.device().equals(nic))
                .map(RailNic::why)
                .findFirst()
                .orElse("");
        say("rank %d: it uses %s (%s); %s", rank, nic.name(), why, remedy);
        continue;
      }
      Link here = nearest(now.gpus(), List.of(nic));
      Link best = nearest(now.gpus(), own);
      if (!now.gpus().isEmpty() && best.compareTo(here) < 0) {
        say(
            "rank %d: %s is %s to %s while %s is %s; %s",
            rank, nic.name(), here.word(), names(now.gpus()), names(own), best.word(), remedy);
      }
    }
  }

  private Link nearest(List<Device> gpus, List<Device> adapters) {
    Link best = Link.UNKNOWN;
    for (Device gpu : gpus) {
      for (Device nic : adapters) {
        best = best.nearest(machine.link(gpu, nic));
      }
    }
    return best;
  }

  /** Ranks by what they share, so that eight unbound ranks are one sentence. */
  private void sharedCores(List<RailRank> now) {
    Map<IdSet, List<Integer>> ranksWith = new LinkedHashMap<>();
    for (int rank = 0; rank < now.size(); rank++) {
      ranksWith.computeIfAbsent(now.get(rank).cpus(), _ -> new ArrayList<>()).add(rank);
    }
    List<IdSet> sets = List.copyOf(ranksWith.keySet());
    Map<BitSet, List<IdSet>> shared = new LinkedHashMap<>();
    for (IdSet core : places.cores()) {
      BitSet on = new BitSet();
      for (int i = 0; i < sets.size(); i++) {
        on.set(i, sets.get(i).intersects(core));
      }
      shared.computeIfAbsent(on, _ -> new ArrayList<>()).add(core);
    }
    shared.forEach(
        (on, cores) -> {
          List<Integer> ranks =
              on.stream()
                  .boxed()
                  .flatMap(i -> ranksWith.getOrDefault(sets.get(i), List.of()).stream())
                  .toList();
          if (ranks.size() > 1) {
            say(
                "ranks %s share %d core%s (CPUs %s); give each rank cores of its own",
                set(ranks), cores.size(), cores.size() == 1 ? "" : "s", IdSet.union(cores));
          }
        });
  }

  private void sharedGpus(List<RailRank> now) {
    Map<Device, List<Integer>> users = new LinkedHashMap<>();
    for (int rank = 0; rank < now.size(); rank++) {
      for (Device gpu : now.get(rank).gpus()) {
        users.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(rank);
      }
    }
    boolean enough = now.size() <= RailPlaces.gpus(machine).size();
    users.forEach(
        (gpu, ranks) -> {
          if (enough && ranks.size() > 1) {
            say("ranks %s share %s; there is a GPU for each rank", set(ranks), gpu.name());
          }
        });
  }

  private void overloaded(List<RailRank> now) {
    if (usable.isEmpty()) {
      return;
    }
    Map<Device, List<Integer>> users = new LinkedHashMap<>();
    for (int rank = 0; rank < now.size(); rank++) {
      for (Device nic : now.get(rank).nics()) {
        users.computeIfAbsent(nic, _ -> new ArrayList<>()).add(rank);
      }
    }
    boolean chosen = now.stream().noneMatch(rank -> rank.nics().isEmpty());
    List<Device> idle = usable.stream().filter(nic -> !users.containsKey(nic)).toList();
    int share = RailPairs.share(now.size(), usable.size());
    users.forEach(
        (nic, ranks) -> {
          if (chosen && !idle.isEmpty() && ranks.size() > share) {
            say(
                "ranks %s all use %s while %s idle; give each rank the adapter of the plan",
                set(ranks), nic.name(), names(idle) + (idle.size() == 1 ? " is" : " are"));
          }
        });
  }

  private static IdSet set(List<Integer> ranks) {
    return IdSet.of(ranks.stream().mapToInt(Integer::intValue).toArray());
  }

  private static String names(List<Device> devices) {
    return devices.stream().map(Device::name).collect(Collectors.joining(", "));
  }
}
