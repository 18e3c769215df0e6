package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.place.Places;
import dev.holdfast.store.manage.StatusSocket;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.server.AccessList;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serve PyTorch's rendezvous, outside of any rank. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Serve the rendezvous of a PyTorch job: MASTER_ADDR and MASTER_PORT for every rank.",
    footer = {
      "",
      "Unmodified clients of torch 1.13 to 2.11 use it in place of the store rank 0 would start: set",
      "MASTER_ADDR and MASTER_PORT to it and TORCHELASTIC_USE_AGENT_STORE=True. Whoever can write to a",
      "store can end its job, so only this machine may connect unless --allow names others. One store",
      "serves one attempt of one job: start a new one for the next, and no old key is ever seen.",
      "",
      "Examples:",
      "  holdfast store                                   on port 29500, for ranks on this machine",
      "  holdfast store --allow 10.1.0.0/16               for ranks of a network too",
      "  holdfast store --allow node1,node2 --port 29600",
      "  holdfast store status                            who is connected, who waits for what",
    })
final class StoreCommand implements Callable<Integer> {
  static final int DEFAULT_PORT = 29500;

  private final Console console;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Default: 29500; 0 takes any that is free.")
  private int port = DEFAULT_PORT;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "Listen on this address only. Default: all, IPv6 and IPv4.")
  private @Nullable String address;

  @Option(
      names = "--allow",
      split = ",",
      paramLabel = "WHO",
      description =
          "Addresses, networks (10.1.0.0/16) and hosts that may connect beside this machine; all:"
              + " anybody. Names are looked up once, at the start.")
  private List<String> allow = List.of();

  @Option(
      names = "--legacy",
      paramLabel = "VERSION",
      description =
          "What clients speak that do not tell: 1.x (torch up to 2.0) or 2.1. Default: 1.x.")
  private String legacy = "1.x";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that serve. Default: a quarter of the cores, 1 to 8.")
  private @Nullable Integer threads;

  StoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    StoreOptions options = options();
    try (StoreServer store = StoreServer.start(options, console::message);
        StatusSocket status = StatusSocket.open(socket(store.port()), store)) {
      console.message(
          "serving on %s port %d, %d thread%s; allowed: %s"
              .formatted(
                  address == null ? "all addresses," : address,
                  store.port(),
                  options.threads(),
                  options.threads() == 1 ? "" : "s",
                  options.access()));
      Throwable defect = untilStopped(store, status);
      throw new HoldfastException(ErrorCode.DEFECT, "the store has ended: " + defect, defect);
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.CANNOT_SERVE, Failures.why(e), e);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private StoreOptions options() {
    try {
      InetAddress where = InetAddress.getByName(address == null ? "::" : address);
      StoreOptions options =
          StoreOptions.at(new InetSocketAddress(where, port))
              .with(allow.contains("all") ? AccessList.everybody() : AccessList.of(allow))
              .withLegacy(dialect());
      return threads == null ? options : options.withThreads(threads);
    } catch (IllegalArgumentException | UnknownHostException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private Dialect dialect() {
    return switch (legacy) {
      case "1.x" -> Dialect.A;
      case "2.1" -> Dialect.B;
      default ->
          throw new IllegalArgumentException("--legacy: '" + legacy + "' is neither 1.x nor 2.1");
    };
  }

  static Path socket(int port) {
    return Places.ofThisProcess().runtime().resolve("store-" + port + ".sock");
  }

  /** Until a signal ends the process, which leaves no file behind, or a defect ends the store. */
  private static Throwable untilStopped(StoreServer store, StatusSocket status)
      throws InterruptedException {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    status.close();
                  } catch (IOException gone) {
                    // It is only a name in a folder that is emptied at the next start.
                  }
                }));
    return store.awaitFailure();
  }
}
