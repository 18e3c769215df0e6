package dev.holdfast.cli.command;

import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.Operation;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.bench.net.Transports;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which processes measure, and over what. */
final class RankChoice {
  @Option(
      names = {"--ranks", "-g"},
      paramLabel = "N",
      description = "How many processes. Default: 2; with nccl one for each GPU.")
  private @Nullable Integer ranks;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "tcp (loopback), unix (sockets), shm (shared memory), nccl (NVIDIA's library, on GPUs), or"
              + " auto: the fastest that needs no GPU. Default: auto.")
  private String transport = "auto";

  @Option(
      names = "--streams",
      paramLabel = "K",
      description = "Sockets for each pair of ranks, each way. Default: 1.")
  private int streams = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of fresh processes. Default: so many that luck is told apart.")
  private @Nullable Integer rounds;

  @Option(
      names = "--no-bind",
      description = "Leave it to the kernel where ranks run, and do not keep cores busy waiting.")
  private boolean unbound;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description = "When nothing moves for so many seconds, a rank is to blame. Default: 30.")
  private double timeout = 30;

  int ranks() {
    return ranks == null ? Transports.ranks(transport) : ranks;
  }

  Transport transport() {
    return HostsChoice.transport(transport, ranks(), false);
  }

  /**
   * @param enough rounds where nobody says how many
   */
  NetPlan plan(List<Operation> operations, int iterations, int warmup, int enough) {
    return new NetPlan(
        Transports.performed(operations, transport()),
        ranks(),
        transport(),
        streams,
        iterations,
        warmup,
        true,
        rounds == null ? enough : rounds,
        !unbound,
        timeout);
  }
}
