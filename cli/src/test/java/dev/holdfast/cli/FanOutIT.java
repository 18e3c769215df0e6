package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.fleet.FanOut;
import dev.holdfast.doctor.fleet.FleetReport;
import dev.holdfast.doctor.fleet.Transport;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fan-out over a real sshd on loopback, and merging of what came back. */
class FanOutIT {
  @TempDir Path folder;

  @Test
  void asksHostsOverSshAndMergesEqualFindings() throws Exception {
    Tools.require("sshd", "openssh-server");
    Tools.require("ssh", "openssh-client");
    Path holdfast = remoteHoldfast();
    int port = freePort();
    Process sshd = startSshd(port);
    try {
      Path options = sshConfiguration(port);
      FanOut fanOut =
          new FanOut(Transport.SSH, 4, Duration.ofSeconds(20), List.of("-F", options.toString()));
      Map<String, CommandResult> results = new HashMap<>();
      fanOut.run(
          List.of("n1", "n2", "gone"),
          List.of(holdfast.toString(), "doctor"),
          results::put,
          (_, _) -> {});
      FleetReport fleet = FleetReport.of(results);
      assertThat(fleet.reports()).as(results.toString()).containsOnlyKeys("n1", "n2");
      assertThat(fleet.silent()).containsOnlyKeys("gone");
      assertThat(fleet.groups()).isNotEmpty();
      assertThat(fleet.groups().getFirst().nodes()).containsExactly("n1", "n2");
      assertThat(fleet.failsOn(Severity.FATAL)).isTrue();
    } finally {
      sshd.destroyForcibly();
    }
  }

  /** Stands for the program on the other node: answers with a recorded node's report. */
  private Path remoteHoldfast() throws IOException {
    TestConsole console = new TestConsole();
    String fixture = Golden.root().resolve("fixtures/nodes/gpu-lost").toString();
    console.run("doctor", "--format", "jsonl", "--from", fixture);
    Path answer = Files.writeString(folder.resolve("answer"), "Welcome!\n" + console.out());
    return executable("holdfast", "#!/bin/sh\nexec cat '" + answer + "'\n");
  }

  private Process startSshd(int port) throws IOException {
    keygen("host");
    keygen("user");
    Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"));
    Path configuration =
        Files.writeString(
            folder.resolve("sshd_config"),
            """
            ListenAddress 127.0.0.1
            Port %d
            HostKey %s/host
            AuthorizedKeysFile %s/authorized
            StrictModes no
            UsePAM no
            PidFile none
            PermitRootLogin yes
            """
                .formatted(port, folder, folder));
    Files.createDirectories(Path.of("/run/sshd"));
    String sshd = Tools.require("sshd", "openssh-server").toString();
    Process process =
        new ProcessBuilder(sshd, "-D", "-e", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sshd.log").toFile())
            .start();
    for (int i = 0; i < 100 && !accepts(port); i++) {
      java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    return process;
  }

  private Path sshConfiguration(int port) throws IOException {
    return Files.writeString(
        folder.resolve("ssh_config"),
        """
        Host n1 n2
          HostName 127.0.0.1
          Port %d
        Host gone
          HostName 127.0.0.1
          Port 1
        Host *
          IdentityFile %s/user
          IdentitiesOnly yes
          StrictHostKeyChecking no
          UserKnownHostsFile /dev/null
          LogLevel ERROR
        """
            .formatted(port, folder));
  }

  private void keygen(String name) {
    CommandResult made =
        Command.of(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve(name).toString())
            .within(Duration.ofSeconds(20))
            .run();
    assertThat(made.succeeded()).as(made.why()).isTrue();
  }

  private Path executable(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private static boolean accepts(int port) {
    try (var socket = new java.net.Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
