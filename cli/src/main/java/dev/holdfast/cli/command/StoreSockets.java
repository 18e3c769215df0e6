package dev.holdfast.cli.command;

import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the stores of this user on this machine are managed: one socket each. */
final class StoreSockets {
  private StoreSockets() {}

  static Path folder() {
    return Places.ofThisProcess().runtime();
  }

  /** Of a store that serves one port, on one address or all. */
  static Path plain(@Nullable InetAddress address, int port) {
    return folder()
        .resolve(
            address == null
                ? "store-" + port + ".sock"
                : "store-" + address.getHostAddress() + "-" + port + ".sock");
  }

  /** Of this process. */
  static Path managed() {
    return folder().resolve("store-managed-" + ProcessHandle.current().pid() + ".sock");
  }

  static List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder())) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), "store-*.sock")) {
        files.forEach(found::add);
      }
    }
    Collections.sort(found);
    return found;
  }

  /** Takes away what managed stores that were killed left behind: nobody answers there. */
  static void sweep() throws IOException {
    for (Path file : all()) {
      if (!String.valueOf(file.getFileName()).startsWith("store-managed-")) {
        continue;
      }
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
        assert channel.isConnected();
      } catch (ConnectException nobody) {
        Files.deleteIfExists(file);
      } catch (IOException notOurs) {
        // Somebody else's, or of another kind.
      }
    }
  }
}
