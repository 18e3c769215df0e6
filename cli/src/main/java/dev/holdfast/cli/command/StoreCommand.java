package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.place.Places;
import dev.holdfast.store.attempts.Attempt;
import dev.holdfast.store.attempts.PortRange;
import dev.holdfast.store.manage.ManageServer;
import dev.holdfast.store.manage.ManagedStore;
import dev.holdfast.store.manage.Requests;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.server.AccessList;
import dev.holdfast.store.server.Notices;
import dev.holdfast.store.server.Shared;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
      "store can end its job, so only this machine may connect unless --allow names others.",
      "",
      "With --port it serves one attempt of one job. With --port-range it is managed: a launcher opens a",
      "store for each attempt, on a port of its own, and closes it, over the socket named in the line it",
      "prints when it is ready, or over TCP with --manage and a token. docs/store.md has the requests.",
      "",
      "Examples:",
      "  holdfast store                                   on port 29500, for ranks on this machine",
      "  holdfast store --allow 10.1.0.0/16               for ranks of a network too",
      "  holdfast store --allow node1,node2 --port 29600",
      "  holdfast store --port-range 29500-29999          for launchers of this user on this machine",
      "  holdfast store status                            who is connected, who waits for what",
    })
final class StoreCommand implements Callable<Integer> {
  static final int DEFAULT_PORT = 29500;

  private final Console console;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Default: 29500; 0 takes any that is free.")
  private @Nullable Integer port;

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

  @Option(
      names = "--buffers",
      paramLabel = "SIZE",
      description =
          "For unread answers and unfinished requests of all clients; beyond it the slowest are"
              + " cut off. Default: a quarter of the memory, at most 2 GiB.")
  private @Nullable String buffers;

  @Option(
      names = "--port-range",
      paramLabel = "FIRST-LAST",
      description = "Be managed; attempts get ports of this range. Default: 29500-29999.")
  private @Nullable String portRange;

  @Option(
      names = "--manage",
      paramLabel = "HOST:PORT",
      description = "Be managed over TCP too, by whoever has the token.")
  private @Nullable String manage;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Holds the token for --manage; not readable for everybody. Default: the variable"
              + " HOLDFAST_STORE_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description =
          "What a managed store remembers: attempts, ports, terms, never keys. Default: in the"
              + " state folder, by port range.")
  private @Nullable Path state;

  @Option(
      names = "--socket",
      paramLabel = "FILE",
      description = "Where its owner manages it. Default: in the folder for run-time files.")
  private @Nullable Path socket;

  @Option(
      names = "--parent-pipe",
      description = "End when standard input is closed: with the process that started it.")
  private boolean parentPipe;

  StoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return Daemon.run(console, this::serve);
  }

  private int serve(Daemon daemon) throws InterruptedException {
    try {
      Optional<Throwable> defect =
          portRange == null && manage == null ? plain(daemon) : managed(daemon);
      if (defect.isEmpty()) {
        return 0;
      }
      throw new HoldfastException(
          ErrorCode.DEFECT, "the store has ended: " + defect.get(), defect.get());
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.CANNOT_SERVE, Failures.why(e), e);
    }
  }

  private Optional<Throwable> plain(Daemon daemon) throws IOException, InterruptedException {
    StoreOptions options = options(port == null ? DEFAULT_PORT : port);
    try (Notices notices = new Notices(console::message, System::nanoTime);
        StoreServer store = StoreServer.start(options, Shared.of(options.limits(), notices), "")) {
      Path file = socket;
      if (file == null) {
        InetAddress where = options.address().getAddress();
        file = StoreSockets.plain(address == null ? null : where, store.port());
      }
      Attempt only = Attempt.plain(store, options.access().toString());
      try (ManageServer status = ManageServer.open(file, Requests.plain(only), notices)) {
        console.message(
            "serving on %s port %d, %s, %s for buffers; allowed: %s"
                .formatted(
                    address == null ? "all addresses," : address,
                    store.port(),
                    threads(options),
                    Bytes.of(options.limits().buffers()),
                    options.access()));
        return untilStopped(daemon, status, store.failure(), notices.failure());
      }
    }
  }

  private Optional<Throwable> managed(Daemon daemon) throws IOException, InterruptedException {
    if (port != null || !allow.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--port and --allow belong to a store that is not managed: whoever opens an attempt says"
              + " who may connect, and its port is one of --port-range");
    }
    PortRange range = range();
    StoreOptions options = options(0);
    if (socket == null) {
      StoreSockets.sweep();
    }
    Path file = socket == null ? StoreSockets.managed() : socket;
    Path remembers =
        state == null
            ? Places.ofThisProcess().state().resolve("store").resolve(range.toString())
            : state;
    if (!parentPipe) {
      // A run's own store remembers among the logs, which may lie in a folder people share.
      StateFolder.own(remembers);
    }
    ManagedStore.Options all =
        new ManagedStore.Options(
            options,
            range,
            remembers,
            file,
            manage == null ? null : place(HostPort.parse("--manage", manage)),
            manage == null ? null : StoreChoice.token(tokenFile));
    try (ManagedStore store = ManagedStore.start(all, console::message)) {
      if (!parentPipe) {
        console.message(
            "managed: ports %s, %s an attempt, %s for buffers; remembers in %s"
                .formatted(
                    range, threads(options), Bytes.of(options.limits().buffers()), remembers));
      }
      console.answer(Json.line(store.ready()) + "\n");
      return untilStopped(daemon, store, store.failure());
    }
  }

  private static String threads(StoreOptions options) {
    return options.threads() + (options.threads() == 1 ? " thread" : " threads");
  }

  private PortRange range() {
    try {
      return portRange == null ? PortRange.DEFAULT : PortRange.parse(portRange);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--port-range: " + wrong.getMessage(), wrong);
    }
  }

  private static InetSocketAddress place(HostPort place) {
    InetSocketAddress address = new InetSocketAddress(place.host(), place.port());
    if (address.isUnresolved()) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--manage: '" + place.host() + "' is not a known host");
    }
    return address;
  }

  private StoreOptions options(int at) {
    try {
      InetAddress where = InetAddress.getByName(address == null ? "::" : address);
      StoreOptions options =
          StoreOptions.at(new InetSocketAddress(where, at))
              .with(allow.contains("all") ? AccessList.everybody() : AccessList.of(allow))
              .withLegacy(dialect());
      if (buffers != null) {
        options = options.withBuffers(Bytes.parse(buffers));
      }
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

  /** Until a defect ends what serves, which is returned, or whoever started us is gone. */
  @SafeVarargs
  private Optional<Throwable> untilStopped(
      Daemon daemon, AutoCloseable serving, CompletableFuture<Throwable>... failures)
      throws InterruptedException {
    assert serving != null;
    CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();
    for (CompletableFuture<Throwable> failure : failures) {
      failure.thenAccept(defect -> end.complete(Optional.of(defect)));
    }
    if (parentPipe) {
      Thread.ofPlatform().daemon().name("parent").start(() -> untilInputEnds(end));
    }
    daemon.serves();
    try {
      return end.get();
    } catch (ExecutionException impossible) {
      return Optional.of(impossible);
    }
  }

  private static void untilInputEnds(CompletableFuture<Optional<Throwable>> end) {
    byte[] unread = new byte[1024];
    try (InputStream in = System.in) {
      while (in.read(unread) >= 0) {
        Thread.onSpinWait(); // whatever comes means nothing
      }
    } catch (IOException broken) {
      // As good as closed.
    }
    end.complete(Optional.empty());
  }
}
