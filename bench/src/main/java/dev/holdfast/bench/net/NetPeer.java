package dev.holdfast.bench.net;

import dev.holdfast.bench.peer.Installation;
import dev.holdfast.bench.peer.LibtorchBuild;
import dev.holdfast.core.network.Collective;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.process.ProgramPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Somebody else's all_reduce on this machine. Their programs are in {@code bench/peers} of a
 * checkout and are not distributed.
 *
 * @param against which of our transports it is measured with
 */
record NetPeer(String name, Transport against, Program program) {
  private static final String GLOO = "dev.holdfast.peers.GlooAllReduce";
  private static final String[] LOOPBACK = {"--mca", "btl_tcp_if_include", "lo"};
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Runs it once: the median seconds of a call, by size. */
  interface Program {
    Map<Long, Double> run(int ranks, List<Long> sizes) throws IOException;
  }

  /** Why a peer is not there, and what would change that. */
  record Missing(String name, String why) {}

  /** What was found. */
  record Found(List<NetPeer> peers, List<Missing> missing) {}

  /**
   * @param checkout where the peers' programs are
   * @param python one that may have torch
   * @param log told of what takes its time
   */
  static Found find(Path checkout, String python, Consumer<String> log) throws IOException {
    List<NetPeer> peers = new ArrayList<>();
    List<Missing> missing = new ArrayList<>();
    CommandResult torch =
        Command.of(python, "-c", "import torch.distributed as d; print(d.is_gloo_available())")
            .within(Duration.ofMinutes(1))
            .run();
    if (torch.succeeded() && torch.output().contains("True")) {
      Path script = PeerProgram.source(checkout, "gloo_all_reduce.py");
      peers.add(
          new NetPeer(
              "gloo",
              Transport.TCP,
              (ranks, sizes) ->
                  meeting(
                      ranks,
                      sizes,
                      words ->
                          Stream.concat(Stream.of(python, script.toString()), words.stream())
                              .toList())));
    } else {
      missing.add(
          new Missing("gloo", python + " has no torch with gloo (apt-get install python3-torch)"));
    }
    LibtorchBuild libtorch = new LibtorchBuild(checkout, Installation.ofThisProcess().java());
    if (libtorch.built()) {
      libtorch.ensure(log);
      peers.add(
          new NetPeer(
              "gloo of libtorch 2.10",
              Transport.TCP,
              (ranks, sizes) ->
                  meeting(
                      ranks,
                      sizes,
                      words -> libtorch.command(GLOO, words.toArray(String[]::new)))));
    } else {
      missing.add(
          new Missing("gloo of libtorch 2.10", "it is not built (" + LibtorchBuild.COMMAND + ")"));
    }
    String path = System.getenv().getOrDefault("PATH", "");
    Optional<String> c = ProgramPath.find("cc", path);
    if (c.isPresent()) {
      Path ring = PeerProgram.compiled(c.get(), checkout, "ring_all_reduce.c");
      peers.add(
          new NetPeer(
              "the same ring in C",
              Transport.TCP,
              (ranks, sizes) ->
                  medians(
                      "the ring in C",
                      Command.of(ring.toString(), Integer.toString(ranks), joined(sizes))
                          .within(PATIENCE)
                          .run(),
                      sizes)));
    } else {
      missing.add(new Missing("the same ring in C", "there is no cc (apt-get install gcc)"));
    }
    MpiBench.find(checkout, List.of())
        .ifPresentOrElse(
            it -> {
              peers.add(mpi("Open MPI tcp", Transport.TCP, it.with(over("tcp,self", LOOPBACK))));
              peers.add(mpi("Open MPI shm", Transport.SHM, it.with(over("vader,self"))));
            },
            () -> missing.add(new Missing("Open MPI", MpiBench.MISSING)));
    return new Found(peers, missing);
  }

  private static NetPeer mpi(String name, Transport against, MpiBench bench) {
    return new NetPeer(
        name,
        against,
        (ranks, sizes) ->
            bench.medians(
                sizes.stream()
                    .map(it -> Operation.of(Collective.ALL_REDUCE, it, Element.FLOAT, 0, ranks))
                    .toList(),
                ranks));
  }

  private static String[] over(String transports, String... more) {
    return Stream.concat(
            Stream.of("--mca", "pml", "ob1", "--mca", "btl", transports), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String joined(List<Long> sizes) {
    return sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Starts each rank with its number, how many there are, where they meet and the sizes. */
  private static Map<Long, Double> meeting(
      int ranks, List<Long> sizes, Function<List<String>, List<String>> program)
      throws IOException {
    int port;
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = probe.getLocalPort();
    }
    List<CompletableFuture<CommandResult>> running = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Command command =
          Command.of(
                  program.apply(
                      List.of(
                          Integer.toString(rank),
                          Integer.toString(ranks),
                          Integer.toString(port),
                          joined(sizes))))
              .with("GLOO_SOCKET_IFNAME", "lo")
              .within(PATIENCE);
      CompletableFuture<CommandResult> answer = new CompletableFuture<>();
      running.add(answer);
      Thread.ofPlatform().daemon().start(() -> answer.complete(command.run()));
    }
    List<CommandResult> results = new ArrayList<>();
    for (CompletableFuture<CommandResult> answer : running) {
      try {
        results.add(answer.get());
      } catch (ExecutionException failed) {
        throw new IOException("gloo was not started", failed);
      } catch (InterruptedException interrupted) {
        throw new Stopped(interrupted);
      }
    }
    return medians("gloo", results.getFirst(), sizes);
  }

  /** Lines of size and seconds. */
  static Map<Long, Double> medians(String name, CommandResult result, List<Long> sizes)
      throws IOException {
    Map<Long, Double> medians = new LinkedHashMap<>();
    PeerProgram.calls(result.output()).forEach((bytes, seconds) -> medians.put(bytes, seconds[0]));
    if (!result.succeeded() || !medians.keySet().containsAll(sizes)) {
      throw new IOException(
          name + " failed: " + result.why() + " " + result.error().lines().limit(3).toList());
    }
    return medians;
  }
}
