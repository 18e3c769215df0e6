package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.ServerIdentity;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Says where a control plane is: to whoever started it, and to the commands of this machine. */
final class ServerNote implements Closeable {
  static final String FILE = "server.json";

  private final Path file;

  private ServerNote(Path file) {
    this.file = file;
  }

  static ServerNote write(
      Path folder, HostPort place, Entrance entrance, ControlPlane control, Console console)
      throws IOException {
    String port = ":" + control.port();
    boolean all = List.of("0.0.0.0", "::").contains(place.host());
    String near = entrance.scheme() + "://" + (all ? "127.0.0.1" : host(place.host())) + port;
    console.message("control plane on " + entrance.scheme() + "://" + host(place.host()) + port);
    entrance
        .identity()
        .map(ServerIdentity::fingerprint)
        .ifPresent(
            it ->
                console.message("its certificate has the fingerprint " + it + " (--fingerprint)"));
    String page =
        all ? entrance.scheme() + "://" + OwnNames.of(place.host(), List.of()).best() + port : near;
    console.message(
        onTerminal()
            ? "page: " + page + "/#token=" + entrance.tokens().admin()
            : "the token to act with is in " + folder.resolve(Tokens.ADMIN_FILE));
    Path file = folder.resolve(FILE);
    try {
      AtomicFile.writeSecret(
          file,
          Json.pretty(
                  Json.map(
                      "schema",
                      "holdfast.server/1",
                      "address",
                      near,
                      "fingerprint",
                      entrance.identity().map(ServerIdentity::fingerprint).orElse(null)))
              .getBytes(StandardCharsets.UTF_8));
    } catch (IOException full) {
      console.message(file + ": " + Failures.why(full));
    }
    return new ServerNote(file);
  }

  private static String host(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** A token is shown to a person and not to a log. */
  private static boolean onTerminal() {
    java.io.Console console = System.console();
    return console != null && console.isTerminal();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException left) {
      // It names a server that is gone; commands say that nobody answers there.
    }
  }
}
