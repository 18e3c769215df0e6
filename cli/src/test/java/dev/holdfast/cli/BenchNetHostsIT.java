package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on several hosts: network namespaces, a real sshd, nodes that come by themselves. */
class BenchNetHostsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static List<String> holdfast(String... words) {
    return HoldfastProgram.command(List.of("-Xmx128m"), List.of(words));
  }

  /** On the first host, over hosts that are network namespaces. */
  private static Command on(LeafSpine network, String hosts, String... words) {
    List<String> command = new ArrayList<>(network.inside(1));
    List<String> all = new ArrayList<>(List.of("bench", "net"));
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--no-bind",
            "--interface",
            "eth0",
            "--hosts",
            hosts,
            "--rsh",
            "ip netns exec " + network.prefix() + "{host}"));
    command.addAll(holdfast(all.toArray(String[]::new)));
    return Command.of(command).within(PATIENCE);
  }

  /** On a thread of its own: those that are shared may all be taken. */
  private static CompletableFuture<CommandResult> started(Command command) {
    CompletableFuture<CommandResult> result = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> result.complete(command.run()));
    return result;
  }

  @Test
  void ranksOfSeveralHostsMeasureTogether() {
    try (LeafSpine network = LeafSpine.make("all", 2)) {
      CommandResult result =
          on(
                  network,
                  "n[1-3]",
                  "all_reduce",
                  "-b",
                  "64K",
                  "-e",
                  "64K",
                  "-n",
                  "2",
                  "-w",
                  "1",
                  "--rounds",
                  "1",
                  "--format",
                  "json")
              .run();
      assertThat(result.succeeded()).as(result.error()).isTrue();
      assertThat(result.output())
          .contains("n1 10.78.0.1 eth0 mtu 1500, n2 10.78.0.2 eth0 mtu 1500")
          .contains("\"wrong\": 0");
      assertThat(network.bytesFrom(3)).isGreaterThan(4 * 64 << 10);
      long before = network.bytesFrom(2);
      questionsAreAnsweredBetweenHosts(network);
      assertThat(network.bytesFrom(2)).isGreaterThan(before + (64 << 10));
    }
  }

  private static void questionsAreAnsweredBetweenHosts(LeafSpine network) {
    CommandResult pieces =
        on(
                network,
                "n[1-2]",
                "latency-comp",
                "--total",
                "64K",
                "--smallest",
                "16K",
                "--iters",
                "2",
                "--rounds",
                "1")
            .run();
    assertThat(pieces.succeeded()).as(pieces.error()).isTrue();
    assertThat(pieces.output()).contains("2 ranks over tcp, 64 KiB in all", "fastest");
    CommandResult flag =
        on(network, "n[1-3]", "done-flag", "--iters", "5", "--rounds", "1", "--format", "json")
            .run();
    assertThat(flag.succeeded()).as(flag.error()).isTrue();
    assertThat(flag.output()).contains("\"ranks\": 3", "n3 10.78.0.3 eth0");
    List<String> sweep = new ArrayList<>(network.inside(1));
    sweep.addAll(
        holdfast(
            "bench",
            "net",
            "sweep",
            "--no-bind",
            "--interface",
            "eth0",
            "--hosts",
            "n[1-3]",
            "--rsh",
            "ip netns exec " + network.prefix() + "{host}",
            "--ranks",
            "2,3",
            "--streams",
            "1",
            "--sizes",
            "4K",
            "--iters",
            "2",
            "--rounds",
            "1"));
    CommandResult swept = Command.of(sweep).within(PATIENCE).run();
    assertThat(swept.succeeded()).as(swept.error()).isTrue();
    assertThat(swept.output()).contains("tcp, 2 ranks", "tcp, 3 ranks", "Best here: tcp");
  }

  @Test
  void aHostCutOffInTheMiddleIsNamedAndNobodyStays() throws Exception {
    try (LeafSpine network = LeafSpine.make("cutoff", 2)) {
      CompletableFuture<CommandResult> running =
          started(
              on(
                  network,
                  "n[1-4]",
                  "all_reduce",
                  "-b",
                  "64K",
                  "-e",
                  "64M",
                  "-f",
                  "1024",
                  "-n",
                  "2",
                  "-w",
                  "0",
                  "--check",
                  "0",
                  "--rounds",
                  "1",
                  "--timeout",
                  "8"));
      // The first size moves some hundred kilobytes, the second one far more.
      until(() -> network.bytesFrom(3) > 8 << 20 || running.isDone());
      network.cut(3);
      CommandResult result = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(result.error()).contains("rank 2 on n3 has not answered for");
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.output()).as("what was measured before").contains("       65536");
      until(() -> List.of(1, 2, 3, 4).stream().allMatch(host -> network.processes(host).isEmpty()));
    }
  }

  @Test
  void aHostWhoseFastCardIsCutOffIsNamedThoughItStillAnswers() throws Exception {
    try (LeafSpine network = LeafSpine.make("twonets", 2)) {
      network.secondCards();
      CompletableFuture<CommandResult> running =
          started(
              on(
                  network,
                  "n[1-4]",
                  "all_reduce",
                  "-b",
                  "64M",
                  "-e",
                  "64M",
                  "-n",
                  "2",
                  "-w",
                  "0",
                  "--check",
                  "0",
                  "--rounds",
                  "1",
                  "--timeout",
                  "6",
                  "--address",
                  network.secondAddress(1)));
      until(() -> network.bytesFrom(3) > 4 << 20 || running.isDone());
      network.cut(3);
      CommandResult result = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.error()).contains("rank 2 on n3 is cut off from all others");
    }
  }

  private static void until(java.util.function.BooleanSupplier reached) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Test
  void largePacketsThatAreSwallowedAreBlamedOnTheMtu() {
    try (LeafSpine network = LeafSpine.make("mtu", 2)) {
      network.swallowLarge(3, 1200);
      CommandResult result =
          on(network, "n[1-3]", "all_reduce", "-b", "8", "-e", "8", "--timeout", "6").run();
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.error()).contains("on n3").contains("the MTU is not the same all the way");
    }
  }

  @Test
  void whoeverCannotBeReachedOrStartedIsNamedWithTheReason() {
    try (LeafSpine network = LeafSpine.make("wrong", 2)) {
      CommandResult nowhere = on(network, "n1,nowhere", "all_reduce").run();
      assertThat(nowhere.exitCode()).isEqualTo(3);
      assertThat(nowhere.error()).contains("rank 1 on nowhere").contains("network namespace");
      CommandResult nothing =
          on(network, "n1,n2", "all_reduce", "--remote-program", "/nowhere/holdfast").run();
      assertThat(nothing.exitCode()).isEqualTo(3);
      assertThat(nothing.error()).contains("on n").contains("/nowhere/holdfast");
      network.cut(2);
      CommandResult cut = on(network, "n1,n2", "all_reduce").run();
      assertThat(cut.exitCode()).isEqualTo(3);
      assertThat(cut.error()).contains("rank 1 on n2").contains("cannot reach 10.78.0.1");
    }
  }

  @Test
  void sshStartsRanksAndItsWordsAreShown(@TempDir Path folder) throws IOException {
    try (LoopbackSshd sshd = LoopbackSshd.start(folder)) {
      String ssh = "ssh -o BatchMode=yes -F " + sshd.configuration();
      TestConsole console = new TestConsole();
      int code =
          console.run(
              "bench",
              "net",
              "all_gather",
              "--hosts",
              "n1,n2:2",
              "--rsh",
              ssh,
              "--address",
              "127.0.0.1",
              "--no-bind",
              "-b",
              "4K",
              "-e",
              "4K",
              "-n",
              "2",
              "--rounds",
              "2");
      assertThat(code).as(console.err()).isZero();
      assertThat(console.out()).contains("3 ranks over tcp on 2 hosts (n[1-2])");
      TestConsole refused = new TestConsole();
      int failed =
          refused.run(
              "bench",
              "net",
              "all_gather",
              "--hosts",
              "n1,gone",
              "--rsh",
              ssh,
              "--address",
              "127.0.0.1");
      assertThat(failed).isEqualTo(3);
      assertThat(refused.err())
          .contains("rank 1 on gone was not started")
          .contains("Connection refused");
    }
  }

  @Test
  void nodesThatComeByThemselvesMeasureTogether() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<CompletableFuture<CommandResult>> nodes = new ArrayList<>();
    for (int node = 0; node < 2; node++) {
      Command command =
          Command.of(
                  holdfast(
                      "bench",
                      "net",
                      "all_reduce",
                      "--rdzv",
                      "127.0.0.1:" + port,
                      "--ranks",
                      "4",
                      "-b",
                      "1K",
                      "-e",
                      "1K",
                      "-n",
                      "2",
                      "--rounds",
                      "2",
                      "--no-bind"))
              .with("OMPI_COMM_WORLD_RANK", Integer.toString(node))
              .with("OMPI_COMM_WORLD_SIZE", "2")
              .with("HOLDFAST_BENCH_TOKEN", "a secret of the test")
              .within(PATIENCE);
      nodes.add(started(command));
    }
    CommandResult leader = nodes.getFirst().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(leader.succeeded()).as(leader.error()).isTrue();
    assertThat(leader.output()).contains("4 ranks over tcp").contains("0 OK");
    assertThat(leader.error())
        .contains("1 of 2 nodes is here; waiting for the others at 127.0.0.1:" + port)
        .contains("all 2 nodes are here");
    CommandResult other = nodes.getLast().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(other.succeeded()).as(other.error()).isTrue();
    assertThat(other.output()).isEmpty();
    assertThat(other.error()).contains("node 1 of 2");
  }

  @Test
  void whatHostsCannotHaveIsRefusedBeforeAnythingStarts() {
    TestConsole console = new TestConsole();
    assertThat(console.run("bench", "net", "all_reduce", "--hosts", "a,b", "--transport", "shm"))
        .isEqualTo(2);
    assertThat(console.err()).contains("between hosts there is tcp");
    assertThat(console.run("bench", "net", "all_reduce", "--interface", "eth0")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--slurm", "--hosts", "a")).isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--hosts", "a", "--ranks", "2"))
        .isEqualTo(2);
    assertThat(console.run("bench", "net", "all_reduce", "--rdzv", "h:1", "--nnodes", "2"))
        .isNotZero();
  }
}
