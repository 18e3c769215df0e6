package dev.holdfast.core.network;

import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Is a result as good as the machine should give, and what is the limit?
 *
 * <p>What a machine should give is the lowest of its limits. Between nodes a collective needs less
 * of the adapters than its bus bandwidth says, since a part of it stays inside nodes: how much less
 * follows from ranks and nodes. What is below the floor is explained by the limit whose rate it
 * has.
 *
 * @param top what the lowest limit allows, as bus bandwidth in GB/s
 * @param floor from where on it is good
 * @param limit that is hit, or most likely is
 */
public record Judgement(
    NetResult result, int nodes, double top, double floor, boolean good, Limit limit, String why) {
  /** Of the lowest limit; 74 % of the adapters were measured over nodes that are taken for good. */
  private static final double GOOD_COLLECTIVE = 0.7;

  private static final double GOOD_STREAM = 0.9;

  /** A fifth below a rate is still that rate with its headers and gaps. */
  private static final double AT_RATE = 0.8;

  private static final double COSTLY = 0.25;
  private static final double FASTEST_SOCKET = 12.5;
  private static final double[] RATES = {10, 25, 40, 50, 100, 200, 400};

  /**
   * The best result of each thing measured, judged; what the expectation says nothing of is left
   * out.
   */
  public static List<Judgement> of(List<NetResult> results, Expectation expected, int nodes) {
    Map<String, List<NetResult>> series =
        results.stream()
            .filter(it -> Double.isFinite(it.busbw()) && it.busbw() > 0)
            .collect(
                Collectors.groupingBy(
                    it -> NetText.what(it.key()) + it.ranks(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    List<Judgement> judgements = new ArrayList<>();
    for (List<NetResult> sizes : series.values()) {
      NetResult best =
          sizes.stream().max(Comparator.comparingDouble(NetResult::busbw)).orElseThrow();
      Setup setup = Setup.of(best, expected, nodes);
      if (Double.isFinite(setup.top())) {
        judgements.add(judged(best, sizes, expected, setup));
      }
    }
    return judgements;
  }

  /**
   * What can be had.
   *
   * @param wire of a GB/s of bus bandwidth, how many cross the adapters of a node
   */
  private record Setup(int nodes, double wire, double top, Limit limit, double floor) {
    static Setup of(NetResult result, Expectation expected, int nodes) {
      int ranks = result.ranks();
      double each = Math.max(1, (double) ranks / nodes);
      if (nodes == 1) {
        double floor =
            result.collective() == Collective.ALL_REDUCE && ranks == expected.gpus()
                ? expected.inside()
                : Double.NaN;
        return new Setup(
            1,
            0,
            expected.scaleUp(),
            Limit.SCALE_UP,
            Double.isNaN(floor) ? GOOD_COLLECTIVE * expected.scaleUp() : floor);
      }
      double ways = result.collective() == Collective.BIDIRECTIONAL ? 2 : 1;
      double wire = wire(result.collective(), ranks, nodes, each);
      boolean stream = ranks == 2 && each == 1;
      double adapters = ways * expected.line() * (stream ? 1 : expected.nics()) / wire;
      boolean inside = each > 1 && expected.scaleUp() < adapters;
      double top = inside ? expected.scaleUp() : adapters;
      return new Setup(
          nodes,
          wire,
          top,
          inside ? Limit.SCALE_UP : Limit.NIC,
          top * (stream ? GOOD_STREAM : GOOD_COLLECTIVE));
    }

    private static double wire(Collective collective, int ranks, int nodes, double each) {
      return switch (collective) {
        case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER -> each * (nodes - 1) / (ranks - 1);
        case ALL_TO_ALL, GATHER, SCATTER -> each * (ranks - each) / (ranks - 1);
        default -> 1;
      };
    }
  }

  private static Judgement judged(
      NetResult best, List<NetResult> sizes, Expectation expected, Setup setup) {
    double share = best.busbw() / setup.top();
    boolean good = best.busbw() >= setup.floor();
    Limit limit = setup.limit();
    String why =
        String.format(Locale.ROOT, "%.0f %% of what %s allow", share * 100, setup.limit().words());
    if (!good) {
      double cost = callCost(sizes);
      if (cost > COSTLY) {
        limit = Limit.CALL_COST;
        why += String.format(Locale.ROOT, "; %.0f %% of the time is spent per call", cost * 100);
      } else if (setup.nodes() == 1) {
        limit = insideLimit(best.busbw(), expected);
      } else if (best.ranks() == 2) {
        limit = streamLimit(best, expected);
      } else {
        limit = adapterLimit(best.busbw() * setup.wire(), expected);
      }
    }
    return new Judgement(best, setup.nodes(), setup.top(), setup.floor(), good, limit, why);
  }

  /** The share of the largest size's time that does not grow with the size, by the two largest. */
  private static double callCost(List<NetResult> sizes) {
    List<NetResult> largest =
        sizes.stream()
            .filter(it -> it.latency().typical() > 0 && it.bytes() > 0)
            .sorted(Comparator.comparingLong(NetResult::bytes).reversed())
            .limit(2)
            .toList();
    if (largest.size() < 2 || largest.get(0).bytes() == largest.get(1).bytes()) {
      return 0;
    }
    double time = largest.get(0).latency().typical();
    double slope =
        (time - largest.get(1).latency().typical())
            / (largest.get(0).bytes() - largest.get(1).bytes());
    return (time - slope * largest.get(0).bytes()) / time;
  }

  private static Limit insideLimit(double busbw, Expectation expected) {
    if (Double.isNaN(expected.pcie()) || busbw > expected.pcie()) {
      return Limit.NUMA;
    }
    return busbw > expected.pcie() * 0.3 ? Limit.PCIE : Limit.SOCKETS;
  }

  private static Limit streamLimit(NetResult result, Expectation expected) {
    double bandwidth =
        result.collective() == Collective.BIDIRECTIONAL ? result.busbw() / 2 : result.busbw();
    for (double rate : RATES) {
      if (rate / 8 < expected.line() * 0.9 && near(bandwidth, rate / 8, 0.88)) {
        return Limit.LOWER_RATE;
      }
    }
    if (near(bandwidth, expected.pcie() / 2, AT_RATE)) {
      return Limit.PCIE;
    }
    return bandwidth < 0.3 * expected.line() ? Limit.SOCKETS : Limit.NUMA;
  }

  private static Limit adapterLimit(double wire, Expectation expected) {
    double all = expected.nics() * expected.line();
    if (wire < 0.1 * all && wire <= FASTEST_SOCKET * 1.05) {
      return Limit.SOCKETS;
    }
    double some = Math.ceil(wire / expected.line() - 0.02);
    if (some <= expected.nics() / 2.0 && near(wire, some * expected.line(), AT_RATE)) {
      return Limit.FEWER_NICS;
    }
    return near(wire / expected.nics(), expected.pcie() / 2, AT_RATE) ? Limit.PCIE : Limit.NUMA;
  }

  private static boolean near(double value, double rate, double least) {
    return value >= least * rate && value <= rate * 1.02;
  }

  /** As a sentence. */
  public String words() {
    return "%s, %d ranks on %d node%s: %s GB/s is %s, %s; good is %s or more. The limit: %s (%s)."
        .formatted(
            NetText.what(result.key()),
            result.ranks(),
            nodes,
            nodes == 1 ? "" : "s",
            NetText.bandwidth(result.busbw()),
            good ? "good" : "too little",
            why,
            NetText.bandwidth(floor),
            limit.words(),
            limit.remedy());
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "collective", result.collective().word(),
        "variant", result.variant(),
        "bytes", result.bytes(),
        "ranks", result.ranks(),
        "nodes", nodes,
        "busbw", result.busbw(),
        "top", top,
        "floor", floor,
        "good", good,
        "limit", limit.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        "why", why);
  }
}
