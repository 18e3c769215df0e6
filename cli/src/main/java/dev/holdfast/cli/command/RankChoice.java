package dev.holdfast.cli.command;

import dev.holdfast.bench.net.BufferMemory;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.Operation;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.bench.net.Transports;
import dev.holdfast.cli.console.Console;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which processes measure, where they are, and over what. */
final class RankChoice {
  @Option(
      names = {"--ranks", "-g"},
      paramLabel = "N",
      description =
          "How many processes. Default: 2; on hosts as many as they have slots, with nccl one for"
              + " each GPU.")
  private @Nullable Integer ranks;

  @Mixin private RanksChoice where = new RanksChoice();

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "tcp, unix (sockets), shm (shared memory), nccl (NVIDIA's library, on GPUs), mpi (by"
              + " mpirun, to compare), or auto: the fastest that needs no GPU. Between hosts: tcp or"
              + " nccl. Default: auto.")
  private String transport = "auto";

  @Option(
      names = "--streams",
      paramLabel = "K",
      description = "Sockets for each pair of ranks, each way. Default: 1.")
  private int streams = 1;

  @Option(
      names = "--no-bind",
      description = "Leave it to the kernel where ranks run, and do not keep cores busy waiting.")
  private boolean unbound;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description = "When nothing moves for so many seconds, a rank is to blame. Default: 30.")
  private double timeout = 30;

  /** Counts and places the ranks; exactly two are needed for some. */
  RanksChoice.Placed place(boolean two) {
    RanksChoice.Placed placed = where.place(ranks, Transports.ranks(transport), two);
    if (!transport.equalsIgnoreCase("nccl")) {
      placed.requireTwo(ranks);
    }
    return placed;
  }

  /** Whether hosts were named, or nodes come. */
  boolean elsewhere() {
    return where.elsewhere();
  }

  /** What carries the bytes between so many ranks. */
  Transport transport(int count) {
    return where.transport(transport, count);
  }

  NetPlan plan(
      RanksChoice.Placed placed,
      List<Operation> operations,
      int iterations,
      int warmup,
      boolean check,
      int rounds) {
    Transport carrier = transport(placed.ranks());
    return new NetPlan(
        Transports.performed(operations, carrier),
        placed.ranks(),
        carrier,
        streams,
        iterations,
        warmup,
        check,
        rounds,
        !unbound,
        timeout);
  }

  /** Does the work where the ranks are, or takes part in what another node does. */
  int lead(Console console, RanksChoice.Placed placed, NetPlan plan, RanksChoice.Work work)
      throws IOException {
    if (!where.elsewhere()) {
      BufferMemory.require(plan);
    }
    return where.lead(console, placed, plan.words(), timeout, work);
  }
}
