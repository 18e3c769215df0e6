package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.attempts.Lease;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.manage.StoreClient;
import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.Tools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `holdfast store` as a process: serving, its status, its end, and too few descriptors. */
class StoreCommandTest {
  private static final Pattern PORT = Pattern.compile("port ([0-9]+),");
  private final List<Process> processes = new ArrayList<>();

  @TempDir Path folder;

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process holdfast(String limit, String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of("sh", "-c", limit + " exec \"$@\"", "sh"));
    line.addAll(
        HoldfastProgram.command(
            List.of("-XX:-MaxFDLimit", "-Duser.name=somebody"), List.of(words)));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static BufferedReader lines(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static int port(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    Matcher port = PORT.matcher(String.valueOf(line));
    assertThat(port.find()).as(line).isTrue();
    return Integer.parseInt(port.group(1));
  }

  @Test
  void itServesTellsItsStatusAndLeavesNothingBehind() throws Exception {
    Process store = holdfast("", "store", "--port", "0", "--address", "127.0.0.1");
    int port = port(lines(store));
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client
          .getOutputStream()
          .write(
              new byte[] {
                3, 5, 0, 0, 0, 0, 0, 0, 0, 'i', 'n', 'i', 't', '/', 1, 0, 0, 0, 0, 0, 0, 0
              });
      assertThat(client.getInputStream().readNBytes(8)).startsWith(1);
      Process status = holdfast("", "store", "status", "--port", Integer.toString(port));
      assertThat(new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("port " + port, "1 connections, 1 keys", "1 joined", "nobody waits");
      assertThat(status.waitFor()).isZero();
    }
    store.destroy();
    assertThat(store.waitFor(20, TimeUnit.SECONDS)).isTrue();
    try (var left = Files.list(folder.resolve("holdfast"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aPortThatIsTakenAndAStoreThatIsNotThereAreErrors() throws Exception {
    Process first = holdfast("", "store", "--port", "0", "--address", "127.0.0.1");
    int port = port(lines(first));
    Process second =
        holdfast("", "store", "--port", Integer.toString(port), "--address", "127.0.0.1");
    assertThat(lines(second).readLine()).contains("HF-1501", "cannot listen");
    assertThat(second.waitFor()).isEqualTo(3);
    Process status = holdfast("", "store", "status", "--port", "1");
    assertThat(lines(status).readLine()).contains("HF-1502", "no store of yours serves port 1");
    assertThat(status.waitFor()).isEqualTo(3);
  }

  @Test
  void withoutDescriptorsThoseWhoNeverGreetedMakeRoomAndNothingSpins() throws Exception {
    Process store = holdfast("ulimit -n 192;", "store", "--port", "0", "--address", "127.0.0.1");
    BufferedReader lines = lines(store);
    int port = port(lines);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 240; i++) {
      clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    assertThat(lines.readLine())
        .containsAnyOf("all places were taken", "no connection can be taken: error 24");
    long before = cpuMillis(store);
    Thread.sleep(500); // not a wait for something: what it costs in this time is the question
    assertThat(cpuMillis(store) - before).isLessThan(250);
    Socket last = clients.get(239);
    last.setSoTimeout(20_000);
    last.getOutputStream().write(6);
    assertThat(last.getInputStream().readNBytes(8)).hasSize(8).containsOnly(0);
    for (Socket client : clients) {
      client.close();
    }
  }

  @Test
  void storesOnOnePortOfTwoAddressesDoNotMixUp() throws Exception {
    Process first = holdfast("", "store", "--port", "0", "--address", "127.0.0.1");
    int port = port(lines(first));
    Process second =
        holdfast("", "store", "--port", Integer.toString(port), "--address", "127.0.0.2");
    assertThat(port(lines(second))).isEqualTo(port);
    try (Socket client = new Socket("127.0.0.2", port)) {
      client.getOutputStream().write(6);
      assertThat(client.getInputStream().readNBytes(8)).containsOnly(0);
      Process status = holdfast("", "store", "status", "--port", Integer.toString(port));
      assertThat(new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("0 connections", "1 connections");
    }
  }

  @Test
  void allAddressesOfTheOldKindAreNotThoseOfTheNew() throws Exception {
    Process store = holdfast("", "store", "--port", "0", "--address", "0.0.0.0");
    int port = port(lines(store));
    new Socket("127.0.0.1", port).close();
    assertThatThrownBy(() -> new Socket("::1", port)).isInstanceOf(ConnectException.class);
  }

  /** Starts a managed store; returns how to reach it. */
  private Fields managed(Process store) throws IOException {
    BufferedReader lines = lines(store);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("{")) {
        return Fields.of("ready", Json.read(line));
      }
      assertThat(line).doesNotContain("HF-");
    }
    throw new AssertionError("never ready");
  }

  private Process managedStore() throws IOException {
    return holdfast(
        "", "store", "--port-range", "25000-26999", "--state", folder + "/state", "--parent-pipe");
  }

  private static StoreClient client(Fields ready) {
    return StoreClient.unix(Path.of(ready.text("socket")), Duration.ofSeconds(60));
  }

  private static OpenOrder order(String job, int attempt, long term) {
    return new OpenOrder(job, attempt, term, 2, List.of(), List.of());
  }

  @Test
  void aManagedStoreThatIsKilledGoesOnWithNewTermsAndPorts() throws Exception {
    Process store = managedStore();
    Fields ready = managed(store);
    Lease lease;
    int port;
    try (StoreClient client = client(ready)) {
      lease = client.claim("a", "node1", 0, Duration.ofSeconds(1));
      port = client.open(order("a", 0, lease.term()));
    }
    store.destroyForcibly().waitFor();
    assertThat(Path.of(ready.text("socket"))).exists();

    Process again = managedStore();
    Fields readyAgain = managed(again);
    assertThat(Path.of(ready.text("socket"))).as("swept away").doesNotExist();
    try (StoreClient client = client(readyAgain)) {
      assertThatThrownBy(() -> client.open(order("a", 0, lease.term())))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("not new");
      assertThat(client.open(order("a", 1, lease.term()))).isNotEqualTo(port);
      assertThat(client.claim("b", "node2", 0, Duration.ofSeconds(5)).term())
          .isGreaterThan(lease.term());
      Process status = holdfast("", "store", "status");
      assertThat(new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("a attempt 1  port ");
      Process metrics = holdfast("", "store", "metrics");
      assertThat(new String(metrics.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("holdfast_store_attempts_open 1\n");
    }
    again.getOutputStream().close(); // whoever started it is gone
    assertThat(again.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(again.exitValue()).isZero();
    assertThat(Path.of(readyAgain.text("socket"))).doesNotExist();
  }

  @Test
  void tenThousandConnectionsComeAndAreCutWhenTheirAttemptEnds() throws Exception {
    int count = 10_000;
    Process store = managedStore();
    List<SocketChannel> clients = new ArrayList<>();
    try (StoreClient client = client(managed(store))) {
      int port = client.open(order("large", 0, 0));
      int other = client.open(order("small", 0, 0));
      InetSocketAddress place = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      for (int i = 0; i < count; i++) {
        SocketChannel channel = null;
        try {
          channel = SocketChannel.open(place);
        } catch (SocketException tooMany) {
          Tools.require(false, "needs " + count + " open files: " + tooMany.getMessage());
        }
        clients.add(java.util.Objects.requireNonNull(channel));
        channel.write(ByteBuffer.wrap(waitForKey()));
      }
      long waiting = 0;
      for (int i = 0; i < 600 && waiting < count; i++) {
        waiting = Fields.of("status", client.status(port).getFirst()).number("waiting");
      }
      assertThat(waiting).isEqualTo(count);
      try (Socket bystander = new Socket(InetAddress.getLoopbackAddress(), other)) {
        client.close("large", 0, 0);
        ByteBuffer nothing = ByteBuffer.allocate(1);
        for (SocketChannel channel : clients) {
          assertThat(channel.read(nothing)).isEqualTo(-1);
        }
        bystander.setSoTimeout(20_000);
        bystander.getOutputStream().write(6);
        assertThat(bystander.getInputStream().readNBytes(8)).containsOnly(0);
      }
      assertThat(client.status(port)).isEmpty();
      assertThatThrownBy(() -> SocketChannel.open(place)).isInstanceOf(ConnectException.class);
      assertThat(client.metrics()).contains("holdfast_store_attempts_open 1\n");
    } finally {
      for (SocketChannel channel : clients) {
        channel.close();
      }
    }
  }

  /** WAIT for one key, as PyTorch up to 2.0 says it. */
  private static byte[] waitForKey() {
    return new byte[] {5, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, '/', 'k'};
  }

  private static long cpuMillis(Process process) {
    return process.toHandle().info().totalCpuDuration().orElseThrow().toMillis();
  }
}
