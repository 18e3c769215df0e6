package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    List<String> line =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                limit + " exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-MaxFDLimit",
                "--enable-native-access=ALL-UNNAMED",
                "-Duser.name=somebody",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.cli.Main"));
    line.addAll(List.of(words));
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
  void withoutDescriptorsItWaitsForRoomAndDoesNotSpin() throws Exception {
    Process store = holdfast("ulimit -n 64;", "store", "--port", "0", "--address", "127.0.0.1");
    BufferedReader lines = lines(store);
    int port = port(lines);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    assertThat(lines.readLine()).contains("no connection can be taken", "too many open files");
    long before = cpuMillis(store);
    Thread.sleep(500); // not a wait for something: what it costs in this time is the question
    assertThat(cpuMillis(store) - before).isLessThan(250);
    for (Socket client : clients.subList(0, 79)) {
      client.close();
    }
    Socket last = clients.get(79);
    last.setSoTimeout(20_000);
    last.getOutputStream().write(6);
    assertThat(last.getInputStream().readNBytes(8)).containsOnly(0);
    last.close();
  }

  private static long cpuMillis(Process process) {
    return process.toHandle().info().totalCpuDuration().orElseThrow().toMillis();
  }
}
