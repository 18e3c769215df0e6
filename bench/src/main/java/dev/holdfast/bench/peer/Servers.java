package dev.holdfast.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts contenders, each in a process of its own on the CPUs kept for servers. */
public final class Servers implements AutoCloseable {
  private static final int START_SECONDS = 90;
  private static final String STORE = "dev.holdfast.cli.Main";

  /** Serves until its input ends; the store is kept by a name. */
  private static final String SCRIPT =
      """
      import sys, datetime
      import torch
      from torch.distributed import TCPStore
      store = TCPStore("127.0.0.1", 0, None, True, timeout=datetime.timedelta(seconds=60),
                       wait_for_workers=False)
      print("torch", torch.__version__, "serves on port", store.port, flush=True)
      sys.stdin.read()
      """;

  private final Installation installation;
  private final BitSet cpus;
  private final Path folder;
  private final boolean ownView;
  private @Nullable SlowNameServer names;

  public Servers(Installation installation, BitSet cpus) throws IOException {
    this.installation = installation;
    this.cpus = cpus;
    this.folder = Files.createTempDirectory("holdfast-bench-");
    this.ownView = NameLookup.possible();
  }

  /** Whether servers can be given another name look-up than the machine's. */
  public boolean chooseNameLookup() {
    return ownView;
  }

  /** Makes what a contender needs before it can start. */
  public void prepare(Contender contender, Consumer<String> log) throws IOException {
    if (contender instanceof Contender.Libtorch) {
      libtorch().ensure(log);
    }
  }

  private LibtorchBuild libtorch() throws IOException {
    Path root =
        installation
            .checkout()
            .orElseThrow(
                () ->
                    new IOException(
                        "libtorch comes with a checkout of Holdfast only; name a Python that has"
                            + " torch: --peer python:/path/to/python3"));
    return new LibtorchBuild(root, installation.java());
  }

  public RunningServer start(Contender contender, NameLookup lookup) throws IOException {
    if (lookup == NameLookup.SLOW) {
      serveNames();
    }
    if (contender instanceof Contender.Remote remote) {
      return RunningServer.elsewhere(remote.address());
    }
    NameLookup possible = ownView ? lookup : NameLookup.UNCHANGED;
    List<String> command = possible.around(command(contender), folder);
    return RunningServer.start(command, cpus, START_SECONDS);
  }

  private List<String> command(Contender contender) throws IOException {
    return switch (contender) {
      case Contender.Holdfast ours -> {
        // Each of the servers ends with its input, and so with us, however we end.
        List<String> words = new ArrayList<>(List.of("store", "--port", "0", "--parent-pipe"));
        if (ours.threads() > 0) {
          words.addAll(List.of("--threads", Integer.toString(ours.threads())));
        }
        yield installation.serving(STORE, words);
      }
      case Contender.Libtorch libtorch -> libtorch().server(libtorch.libuv() ? "libuv" : "old");
      case Contender.Python python -> {
        Path script = folder.resolve("server.py");
        Files.writeString(script, SCRIPT);
        yield List.of(python.interpreter().toString(), script.toString());
      }
      case Contender.Remote remote -> throw new IllegalArgumentException(remote.name());
    };
  }

  private synchronized void serveNames() throws IOException {
    if (names == null && ownView) {
      names = new SlowNameServer();
    }
  }

  @Override
  public synchronized void close() {
    if (names != null) {
      names.close();
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException left) {
      // A few bytes in a temporary folder.
    }
  }
}
