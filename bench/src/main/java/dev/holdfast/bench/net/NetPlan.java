package dev.holdfast.bench.net;

import java.util.List;

/**
 * What is to be measured.
 *
 * @param streams sockets for each pair of ranks, each way
 * @param iterations of each operation in a round; 0: as many as fit into a third of a second
 * @param warmup operations before the clock runs; with iterations 0, at least so many; {@link
 *     #UNTIL_WARM}: until they become no faster, however many are measured
 * @param rounds how often all of it is done, with fresh processes each time
 * @param bind whether each rank has a core to itself where there are enough
 * @param silenceSeconds when nothing moves for so long, somebody is to blame
 */
public record NetPlan(
    List<Operation> operations,
    int ranks,
    Transport transport,
    int streams,
    int iterations,
    int warmup,
    boolean check,
    int rounds,
    boolean bind,
    double silenceSeconds) {
  /** More than any process table here was tried with. */
  public static final int MOST_RANKS = 256;

  /** The times of all calls come in one line: 20 characters each at most, and 4 MiB in all. */
  public static final int MOST_ITERATIONS = 200_000;

  public static final int UNTIL_WARM = Integer.MIN_VALUE;
  private static final int LEAST_WARMUP = 5;

  public NetPlan {
    operations = List.copyOf(operations);
    // On one GPU, NCCL's own costs can be seen, if nothing else.
    int least = transport == Transport.NCCL ? 1 : 2;
    if (ranks < least || ranks > MOST_RANKS) {
      throw new IllegalArgumentException(
          "--ranks: from %d to %d, not %d".formatted(least, MOST_RANKS, ranks));
    }
    if (streams < 1 || streams > 64) {
      throw new IllegalArgumentException("--streams: from 1 to 64, not " + streams);
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("--rounds: at least 1, not " + rounds);
    }
    if (iterations < 0) {
      throw new IllegalArgumentException(
          "--iters: at least 1, or 0 for as many as fit into a third of a second, not "
              + iterations);
    }
    if (warmup < 0 && warmup != UNTIL_WARM) {
      throw new IllegalArgumentException("--warmup: at least 0, not " + warmup);
    }
    if (iterations > MOST_ITERATIONS) {
      throw new IllegalArgumentException(
          "--iters: at most %d, not %d; more --rounds tell more"
              .formatted(MOST_ITERATIONS, iterations));
    }
    if (!(silenceSeconds >= 1)) {
      throw new IllegalArgumentException("--timeout: at least 1 s");
    }
    if (operations.isEmpty()) {
      throw new IllegalArgumentException("no size is left to measure");
    }
  }

  /** Whether somebody said how many operations there are, before the clock runs and after. */
  boolean counted() {
    return iterations > 0 && warmup != UNTIL_WARM;
  }

  /** So many operations before the clock runs, at least. */
  int leastWarmup() {
    return warmup == UNTIL_WARM ? LEAST_WARMUP : warmup;
  }

  long largest() {
    return operations.stream().mapToLong(Operation::room).max().orElse(0);
  }

  boolean needsOther() {
    return ranks == 1 || operations.stream().anyMatch(Operation::needsOther);
  }

  /** The same on every rank, or they are refused. */
  public String words() {
    return "%s over %s with %d streams, %d ranks"
        .formatted(
            operations.stream()
                .map(it -> it.collective().word() + " " + it.element().word() + " " + it.room())
                .toList(),
            transport.word(),
            streams,
            ranks);
  }
}
