package dev.holdfast.core.network;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was done between the ranks, and the only place that knows how its bandwidths are computed.
 *
 * <p>The algorithm bandwidth (algbw) is the size of the operation over its time: what a program
 * sees. The bus bandwidth (busbw) corrects it by what must cross each rank's link at least, so that
 * it can be compared with the link whatever the number of ranks. Both are in GB/s, and a GB is 10⁹
 * bytes. The size is nccl-tests': of the whole buffer, which for the operations that spread a
 * buffer over ranks is the sum of all parts.
 */
public enum Collective {
  ALL_REDUCE,
  ALL_GATHER,
  REDUCE_SCATTER,
  BROADCAST,
  REDUCE,
  ALL_TO_ALL,
  GATHER,
  SCATTER,
  SEND_RECV,
  HYPERCUBE,
  BARRIER,
  /** Half a round trip of one message. */
  LATENCY,
  /** Many messages on their way from one rank to another. */
  BANDWIDTH,
  /** The same both ways at once; the sum of both counts. */
  BIDIRECTIONAL;

  private static final double GIGA = 1e9;

  /** Other spellings, without separators. */
  private static final Map<String, Collective> ALIASES =
      Map.ofEntries(
          Map.entry("alltoallv", ALL_TO_ALL),
          Map.entry("allgatherv", ALL_GATHER),
          Map.entry("bcast", BROADCAST),
          Map.entry("pt2pt", SEND_RECV),
          Map.entry("p2p", SEND_RECV),
          Map.entry("bibw", BIDIRECTIONAL),
          Map.entry("bw", BANDWIDTH));

  /** As it is written in files and on command lines: {@code all_reduce}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** From any usual spelling: {@code all_reduce}, {@code AllReduce}, {@code allreduce_perf}. */
  public static Optional<Collective> named(String text) {
    String plain =
        text.toLowerCase(Locale.ROOT).replaceFirst("_perf(_mpi)?$", "").replaceAll("[-_ .]", "");
    return Optional.ofNullable(ALIASES.get(plain))
        .or(
            () ->
                Arrays.stream(values())
                    .filter(it -> it.word().replace("_", "").equals(plain))
                    .findFirst());
  }

  /** Whether only the time of a call says anything: there is no payload worth a bandwidth. */
  public boolean judgedByTime() {
    return this == BARRIER || this == LATENCY;
  }

  /** What a program sees, in GB/s; not a number when the time is not known. */
  public double algbw(long bytes, int ranks, double seconds) {
    if (!(seconds > 0)) {
      return Double.NaN;
    }
    double moved = this == HYPERCUBE ? bytes * share(ranks) : bytes;
    return moved / seconds / GIGA;
  }

  /** What each rank's link carried at least, in GB/s. */
  public double busbw(double algbw, int ranks) {
    return algbw * busFactor(ranks);
  }

  /** The bus bandwidth over the algorithm bandwidth, as nccl-tests has it. */
  public double busFactor(int ranks) {
    return switch (this) {
      case ALL_REDUCE -> 2 * share(ranks);
      case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> share(ranks);
      default -> 1;
    };
  }

  private static double share(int ranks) {
    if (ranks < 1) {
      throw new IllegalArgumentException(ranks + " ranks");
    }
    return (ranks - 1.0) / ranks;
  }
}
