package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Works out a {@link Score}. */
final class ScoreSheet {
  private final Topology machine;
  private final RailPlaces places;
  private final List<Device> usable;
  private final List<RailRank> ranks;
  private final Map<IdSet, OptionalDouble> ownCores = new HashMap<>();
  private final Map<Device, Double> bestNearness = new IdentityHashMap<>();
  private final Map<Device, Double> loads = new HashMap<>();
  private final double fairLoad;

  private ScoreSheet(
      Topology machine, RailPlaces places, List<Device> usable, List<RailRank> ranks) {
    this.machine = machine;
    this.places = places;
    this.usable = usable;
    this.ranks = ranks;
    countOwnCores();
    Map<Device, Set<Device>> nicsOfGpu = new LinkedHashMap<>();
    for (RailRank rank : ranks) {
      for (Device gpu : rank.gpus()) {
        nicsOfGpu.computeIfAbsent(gpu, _ -> new LinkedHashSet<>()).addAll(rank.nics());
      }
    }
    nicsOfGpu.forEach(
        (_, nics) -> nics.forEach(nic -> loads.merge(nic, 1.0 / nics.size(), Double::sum)));
    this.fairLoad =
        usable.isEmpty() ? 1 : RailPairs.share(Math.max(1, nicsOfGpu.size()), usable.size());
  }

  static Score of(Topology machine, RailPlaces places, List<Device> usable, List<RailRank> ranks) {
    return new ScoreSheet(machine, places, usable, ranks).score();
  }

  private Score score() {
    Map<String, List<Double>> byName = new LinkedHashMap<>();
    double sum = 0;
    for (RailRank rank : ranks) {
      Map<String, OptionalDouble> marks = new LinkedHashMap<>();
      marks.put("CPUs local to the GPU", localCpus(rank));
      marks.put("cores of its own", ownCores.getOrDefault(rank.cpus(), OptionalDouble.empty()));
      marks.put("adapter near the GPU", nearness(rank));
      marks.put("adapter not overloaded", balance(rank));
      marks.put("memory local to the GPU", localMemory(rank));
      List<Double> given = new ArrayList<>();
      marks.forEach(
          (name, mark) -> {
            if (mark.isPresent()) {
              given.add(mark.getAsDouble());
              byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(mark.getAsDouble());
            }
          });
      sum += mean(given);
    }
    List<Score.Mark> marks = new ArrayList<>();
    byName.forEach((name, given) -> marks.add(new Score.Mark(name, points(mean(given)))));
    return new Score(points(ranks.isEmpty() ? 0 : sum / ranks.size()), marks);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /** Never 100 where something is missing. */
  private static int points(double mark) {
    int rounded = (int) Math.round(100 * mark);
    return rounded == 100 && mark < 1 - 1e-9 ? 99 : rounded;
  }

  /** Ranks with the same CPUs are counted once: there may be thousands that are not bound. */
  private void countOwnCores() {
    Map<IdSet, Integer> ranksWith = new LinkedHashMap<>();
    ranks.forEach(rank -> ranksWith.merge(rank.cpus(), 1, Integer::sum));
    int[] ranksOnCore = new int[places.cores().size()];
    ranksWith.forEach(
        (cpus, count) -> places.coresOf(cpus).forEach(core -> ranksOnCore[core] += count));
    for (IdSet cpus : ranksWith.keySet()) {
      int own = (int) places.coresOf(cpus).filter(core -> ranksOnCore[core] == 1).count();
      int all = (int) places.coresOf(cpus).count();
      ownCores.put(cpus, all == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) own / all));
    }
  }

  private OptionalDouble localCpus(RailRank rank) {
    IdSet local = places.cpus(rank.gpus());
    return local.isEmpty() || rank.cpus().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) rank.cpus().and(local).count() / rank.cpus().count());
  }

  private OptionalDouble nearness(RailRank rank) {
    if (usable.isEmpty() || rank.gpus().isEmpty() || rank.nics().isEmpty()) {
      return OptionalDouble.empty();
    }
    double sum = 0;
    for (Device gpu : rank.gpus()) {
      double best = bestNearness.computeIfAbsent(gpu, one -> nearest(one, usable));
      List<Device> own = rank.nics().stream().filter(usable::contains).toList();
      sum += best == 0 ? 0 : nearest(gpu, own) / best;
    }
    boolean wrong = !usable.containsAll(rank.nics());
    return OptionalDouble.of(wrong ? 0 : sum / rank.gpus().size());
  }

  private double nearest(Device gpu, List<Device> nics) {
    return nics.stream().mapToDouble(nic -> nearness(machine.link(gpu, nic))).max().orElse(0);
  }

  private static double nearness(Link link) {
    return switch (link) {
      case SELF, NV, PIX -> 1;
      case PXB -> 0.95;
      case PHB -> 0.7;
      case NODE -> 0.6;
      case SYS, UNKNOWN -> 0.2;
    };
  }

  private OptionalDouble balance(RailRank rank) {
    if (usable.isEmpty()) {
      return OptionalDouble.empty();
    }
    double worst =
        rank.nics().stream().mapToDouble(nic -> loads.getOrDefault(nic, 0.0)).max().orElse(0);
    return OptionalDouble.of(worst <= fairLoad ? 1 : fairLoad / worst);
  }

  private OptionalDouble localMemory(RailRank rank) {
    IdSet local = places.nodes(rank.gpus());
    if (rank.memory().isEmpty() || local.isEmpty()) {
      return localCpus(rank);
    }
    return OptionalDouble.of((double) rank.memory().and(local).count() / rank.memory().count());
  }
}
