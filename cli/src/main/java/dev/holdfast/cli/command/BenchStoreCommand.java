package dev.holdfast.cli.command;

import dev.holdfast.bench.peer.Contender;
import dev.holdfast.bench.peer.Installation;
import dev.holdfast.bench.store.CpuShares;
import dev.holdfast.bench.store.StoreBench;
import dev.holdfast.bench.store.StoreBenchJson;
import dev.holdfast.bench.store.StoreBenchText;
import dev.holdfast.bench.store.StorePlan;
import dev.holdfast.bench.store.StoreResult;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measure the store beside PyTorch's own. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measure the rendezvous store beside PyTorch's own, on this machine, with thousands of"
            + " clients.",
    footer = {
      "",
      "Servers and clients are processes of their own on CPUs of their own; servers take turns and medians",
      "are compared. As root each server is kept from looking up names, which PyTorch's does for everybody",
      "who connects. In a checkout the peer is libtorch 2.10, fetched through Maven on first use.",
      "Exit code 0 whatever the figures are, unless --fail-below says otherwise; 3: could not run.",
      "",
      "Examples:",
      "  holdfast bench store --quick                     a minute; for a first impression",
      "  holdfast bench store                             all of it, about ten minutes",
      "  holdfast bench store --peer python:/usr/bin/python3 --ops add --connections 64,1000",
      "  holdfast bench store --peer libtorch,libtorch-old --format json > result.json",
    })
final class BenchStoreCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "SERVER",
      description =
          "Compare with: libtorch, libtorch-old (its older backend; both need a checkout),"
              + " python:/path/to/python3 with torch 2.5 or newer, tcp:HOST:PORT, none. Default:"
              + " libtorch in a checkout, else python3 of the PATH if it has torch.")
  private List<String> peers = List.of();

  @Option(
      names = "--quick",
      description = "Fewer clients, shorter rounds: a minute instead of ten.")
  private boolean quick;

  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N",
      description = "How many clients. Default: 1,64,1000,8000; 1,64,1000 if quick.")
  private @Nullable List<Integer> connections;

  @Option(
      names = "--ops",
      split = ",",
      paramLabel = "OP",
      description = "Of add, get, wait, check, set. Default: all; add and get if quick.")
  private @Nullable List<String> operations;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each round of a load is measured. Default: 2; 1 if quick.")
  private @Nullable Double seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each server has its turn. Default: 3; 1 if quick.")
  private @Nullable Integer rounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of our store. Default: as it decides itself on its CPUs.")
  private int threads;

  @Option(
      names = "--server-cpus",
      paramLabel = "CPUS",
      description = "CPUs for servers, such as 0-7. Default: the first half of those allowed.")
  private @Nullable String serverCpus;

  @Option(
      names = "--client-cpus",
      paramLabel = "CPUS",
      description = "CPUs for the clients. Default: the others.")
  private @Nullable String clientCpus;

  @Option(
      names = "--fail-below",
      paramLabel = "RATIO",
      description = "Exit with 1 when a throughput is below this share of a peer's.")
  private @Nullable Double failBelow;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private StoreStatusCommand.Format format = StoreStatusCommand.Format.TABLE;

  BenchStoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    StoreResult result;
    try {
      result = new StoreBench(plan(), console::message, console::progress).run();
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException cannot) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(cannot), cannot);
    }
    console.answer(
        format == StoreStatusCommand.Format.JSON
            ? StoreBenchJson.of(result)
            : StoreBenchText.of(result, console.style(), console.width()));
    return failBelow != null && result.lowestThroughput() < failBelow ? 1 : 0;
  }

  private StorePlan plan() throws IOException {
    CpuShares cpus = CpuShares.of(serverCpus, clientCpus);
    List<Integer> counts =
        connections != null
            ? connections
            : quick ? List.of(1, 64, 1000) : List.of(1, 64, 1000, 8000);
    return new StorePlan(
        contenders(),
        operations != null ? operations : quick ? List.of("add", "get") : StorePlan.OPERATIONS,
        counts,
        Math.min(Collections.max(counts), 8000),
        quick ? 0.5 : 1,
        seconds != null ? seconds : quick ? 1 : 2,
        rounds != null ? rounds : quick ? 1 : 3,
        cpus.servers(),
        cpus.clients(),
        quick ? 64 : 1000);
  }

  private List<Contender> contenders() {
    List<Contender> all = new ArrayList<>();
    all.add(new Contender.Holdfast(threads));
    if (peers.isEmpty()) {
      Contender.usual(Installation.ofThisProcess())
          .ifPresentOrElse(
              all::add,
              () ->
                  console.message(
                      "nothing to compare with: name a Python that has torch with --peer"
                          + " python:/path/to/python3"));
    } else if (!peers.equals(List.of("none"))) {
      peers.forEach(word -> all.add(Contender.parse(word)));
    }
    return all;
  }
}
