package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.server.ServerAddress;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which control plane a command asks: one that is named, or the one of this machine. */
final class ServerChoice {
  static final String HERE = "http://127.0.0.1:7070";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The control plane to ask. Default: HOLDFAST_SERVER, or " + HERE + ".")
  private @Nullable String server;

  ServerAddress address() {
    String named =
        server != null
            ? server
            : Optional.ofNullable(System.getenv("HOLDFAST_SERVER"))
                .filter(it -> !it.isBlank())
                .orElse(HERE);
    return new ServerAddress(uri(named), "", "");
  }

  private static URI uri(String text) {
    try {
      URI uri = URI.create(text.contains("://") ? text : "http://" + text);
      if (uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException wrong) {
      // told below
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE, "--server: '" + text + "' is not an address such as " + HERE);
  }
}
