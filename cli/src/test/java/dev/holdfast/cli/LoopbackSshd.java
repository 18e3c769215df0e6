package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A real sshd on loopback. Its hosts n1 and n2 are this machine; on the host gone nobody listens.
 */
final class LoopbackSshd implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final Path configuration;
  private final Process process;

  private LoopbackSshd(Path folder) throws IOException {
    this.folder = folder;
    this.port = freePort();
    this.process = serve();
    this.configuration = clientConfiguration();
  }

  /** Skips the calling test where there is no sshd. */
  static LoopbackSshd start(Path folder) throws IOException {
    Tools.require("sshd", "openssh-server");
    Tools.require("ssh", "openssh-client");
    return new LoopbackSshd(folder);
  }

  /** For {@code ssh -F}. */
  Path configuration() {
    return configuration;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private Process serve() throws IOException {
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

  private Path clientConfiguration() throws IOException {
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
