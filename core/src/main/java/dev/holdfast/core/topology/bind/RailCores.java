package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which rank gets which cores: whole ones, local to its GPUs, in one piece, as many as the others
 * have for each GPU, and no one else's.
 *
 * <p>Cores are dealt to seats: a rank has one for each GPU that is its own. Cores that are local to
 * the same seats are dealt together, those with the fewest takers first, and a core goes to the
 * seat that has least.
 */
final class RailCores {
  private final Topology machine;
  private final List<IdSet> cores;
  private final List<String> notes;
  private final List<Seat> seats = new ArrayList<>();
  private final int[] coresOfRank;
  private final Set<Integer> kept = new HashSet<>();

  /** A rank on one of its GPUs. */
  private static final class Seat {
    final int rank;
    final Device gpu;
    IdSet home;
    final List<Integer> cores = new ArrayList<>();

    Seat(int rank, Device gpu, IdSet home) {
      this.rank = rank;
      this.gpu = gpu;
      this.home = home;
    }

    /** The first CPU of the part the GPU hangs from: near caches, near cores. */
    int anchor() {
      return gpu.anchor().cpus().first();
    }
  }

  private RailCores(
      Topology machine, RailPlaces places, List<List<Device>> gpusOfRank, List<String> notes) {
    this.machine = machine;
    this.cores = places.cores();
    this.notes = notes;
    this.coresOfRank = new int[gpusOfRank.size()];
    for (int rank = 0; rank < gpusOfRank.size(); rank++) {
      List<Device> gpus = gpusOfRank.get(rank);
      List<Device> placed = gpus.stream().filter(gpu -> !places.cpus(gpu).isEmpty()).toList();
      for (Device gpu : placed.isEmpty() ? gpus.subList(0, 1) : placed) {
        seats.add(new Seat(rank, gpu, places.cpus(gpu)));
      }
    }
  }

  /**
   * The cores of each rank.
   *
   * @param reserved how many of the first cores of each NUMA node stay free
   */
  static List<List<IdSet>> deal(
      Topology machine,
      RailPlaces places,
      List<List<Device>> gpusOfRank,
      int reserved,
      List<String> notes) {
    RailCores dealer = new RailCores(machine, places, gpusOfRank, notes);
    dealer.reserve(reserved);
    dealer.deal();
    dealer.noteFree();
    List<Set<Integer>> hands = new ArrayList<>();
    gpusOfRank.forEach(_ -> hands.add(new LinkedHashSet<>()));
    dealer.seats.forEach(seat -> hands.get(seat.rank).addAll(seat.cores));
    return hands.stream().map(hand -> hand.stream().map(places.cores()::get).toList()).toList();
  }

  private void deal() {
    List<Seat> lost = seats.stream().filter(seat -> seat.home.isEmpty()).toList();
    dealHomes();
    if (lost.isEmpty()) {
      return;
    }
    notes.add(
        lost.size() == 1
            ? "it is unknown where the GPU of rank %d is: it gets cores that no other rank needs"
                .formatted(lost.getFirst().rank)
            : "it is unknown where the GPUs of %d ranks are: they get cores that no other rank needs"
                .formatted(lost.size()));
    Set<Integer> used = used();
    List<Integer> free =
        local(machine.cpus()).stream().filter(core -> !used.contains(core)).toList();
    if (free.size() < lost.size()) {
      lost.forEach(seat -> seat.home = machine.cpus());
      seats.forEach(seat -> seat.cores.clear());
      java.util.Arrays.fill(coresOfRank, 0);
      dealHomes();
    } else {
      share(free, lost);
    }
  }

  private Set<Integer> used() {
    return seats.stream().flatMap(seat -> seat.cores.stream()).collect(Collectors.toSet());
  }

  /** The cores that have some of the CPUs and are not reserved. */
  private List<Integer> local(IdSet cpus) {
    return all(cpus).stream().filter(core -> !kept.contains(core)).toList();
  }

  private List<Integer> all(IdSet cpus) {
    return IntStream.range(0, cores.size())
        .filter(core -> cores.get(core).intersects(cpus))
        .boxed()
        .toList();
  }

  private Map<IdSet, List<Seat>> byHome() {
    return seats.stream()
        .filter(seat -> !seat.home.isEmpty())
        .collect(
            Collectors.groupingBy(
                seat -> seat.home, LinkedHashMap::new, Collectors.toCollection(ArrayList::new)));
  }

  private void dealHomes() {
    Map<IdSet, List<Seat>> groups = byHome();
    List<Map.Entry<IdSet, List<Seat>>> homes = List.copyOf(groups.entrySet());
    Map<BitSet, List<Integer>> regions = new LinkedHashMap<>();
    for (int core : local(machine.cpus())) {
      BitSet takers = new BitSet();
      for (int i = 0; i < homes.size(); i++) {
        takers.set(i, homes.get(i).getKey().intersects(cores.get(core)));
      }
      regions.computeIfAbsent(takers, _ -> new ArrayList<>()).add(core);
    }
    Function<BitSet, List<Seat>> takersOf =
        which -> which.stream().boxed().flatMap(i -> homes.get(i).getValue().stream()).toList();
    regions.entrySet().stream()
        .filter(region -> !region.getKey().isEmpty())
        .sorted(Comparator.comparingInt(region -> takersOf.apply(region.getKey()).size()))
        .forEach(region -> share(region.getValue(), takersOf.apply(region.getKey())));
    groups.forEach(this::shareScarce);
  }

  /** Cores to takers in one piece each, so that all have about the same in the end. */
  private void share(List<Integer> dealt, List<Seat> takers) {
    List<Seat> inOrder = takers.stream().sorted(Comparator.comparingInt(Seat::anchor)).toList();
    int[] counts = counts(dealt.size(), inOrder);
    int at = 0;
    for (int i = 0; i < counts.length; i++) {
      inOrder.get(i).cores.addAll(dealt.subList(at, at + counts[i]));
      at += counts[i];
    }
  }

  private int[] counts(int dealt, List<Seat> takers) {
    boolean equal = takers.stream().mapToInt(seat -> seat.cores.size()).distinct().count() == 1;
    int[] counts = new int[takers.size()];
    if (equal && dealt >= takers.size()) {
      counts = Shares.even(dealt, takers.size());
      for (int i = 0; i < counts.length; i++) {
        coresOfRank[takers.get(i).rank] += counts[i];
      }
      return counts;
    }
    for (int core = 0; core < dealt; core++) {
      int poorest = 0;
      for (int i = 1; i < counts.length; i++) {
        int less =
            Integer.compare(
                takers.get(i).cores.size() + counts[i],
                takers.get(poorest).cores.size() + counts[poorest]);
        int rankLess =
            Integer.compare(coresOfRank[takers.get(i).rank], coresOfRank[takers.get(poorest).rank]);
        if (less < 0 || less == 0 && rankLess < 0) {
          poorest = i;
        }
      }
      counts[poorest]++;
      coresOfRank[takers.get(poorest).rank]++;
    }
    return counts;
  }

  /** More ranks than cores: neighbours share. */
  private void shareScarce(IdSet home, List<Seat> group) {
    if (group.stream().allMatch(seat -> coresOfRank[seat.rank] > 0)) {
      return;
    }
    Map<Integer, Seat> firstOfRank = new LinkedHashMap<>();
    for (Seat seat : group) {
      seat.cores.clear();
      firstOfRank.putIfAbsent(seat.rank, seat);
    }
    List<Integer> local = local(home);
    List<List<Integer>> shares = Shares.deal(local, firstOfRank.size());
    int at = 0;
    for (Seat seat : firstOfRank.values()) {
      seat.cores.addAll(shares.get(at++));
      coresOfRank[seat.rank] = Math.max(1, seat.cores.size());
    }
    notes.add(
        "%d ranks but %d cores on NUMA node %s: neighbours share"
            .formatted(firstOfRank.size(), local.size(), LocalMemory.of(machine, home)));
  }

  private void reserve(int count) {
    if (count == 0) {
      return;
    }
    Set<Integer> seen = new HashSet<>();
    for (Part node : machine.numaNodes()) {
      List<Integer> fresh = all(node.cpus()).stream().filter(seen::add).toList();
      kept.addAll(fresh.subList(0, Math.min(count, fresh.size())));
    }
    byHome().forEach((home, group) -> release(home, ranks(group)));
    if (seats.stream().anyMatch(seat -> seat.home.isEmpty())) {
      release(machine.cpus(), ranks(seats));
    }
  }

  private static int ranks(List<Seat> group) {
    return (int) group.stream().mapToInt(seat -> seat.rank).distinct().count();
  }

  private void release(IdSet home, int ranks) {
    List<Integer> all = all(home);
    if (local(home).size() < ranks && all.stream().anyMatch(kept::contains)) {
      all.forEach(kept::remove);
      notes.add(
          "no core is reserved on NUMA node %s: its %d core%s are needed by %d rank%s"
              .formatted(
                  LocalMemory.of(machine, home),
                  all.size(),
                  all.size() == 1 ? "" : "s",
                  ranks,
                  ranks == 1 ? "" : "s"));
    }
  }

  private void noteFree() {
    Set<Integer> used = used();
    BitSet nodes = new BitSet();
    Set<Integer> free = new HashSet<>();
    for (Part node : machine.numaNodes()) {
      List<Integer> local = local(node.cpus());
      if (!local.isEmpty() && node.number() >= 0 && local.stream().noneMatch(used::contains)) {
        nodes.set(node.number());
        free.addAll(local);
      }
    }
    if (!nodes.isEmpty()) {
      boolean one = nodes.cardinality() == 1;
      notes.add(
          "no rank runs on NUMA node%s %s, which %s no GPU: %d core%s stay free, for example for loading data"
              .formatted(
                  one ? "" : "s",
                  IdSet.copyOf(nodes),
                  one ? "has" : "have",
                  free.size(),
                  free.size() == 1 ? "" : "s"));
    }
  }
}
