package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.store.manage.StoreClient;
import dev.holdfast.store.manage.Token;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a command speaks of: those of this user here, one of them, or one elsewhere. */
final class StoreChoice {
  private static final Duration DEADLINE = Duration.ofSeconds(15);

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The store on this port. Default: all of yours on this machine.")
  int port;

  @Option(names = "--socket", paramLabel = "FILE", description = "The store with this socket.")
  private @Nullable Path socket;

  @Option(
      names = "--at",
      paramLabel = "HOST:PORT",
      description = "The store managed there; needs its token.")
  private @Nullable String place;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token. Default: the variable HOLDFAST_STORE_TOKEN.")
  private @Nullable Path tokenFile;

  /** Something asked of a store. */
  interface Question {
    void ask(StoreClient store) throws IOException;
  }

  /** Asks every store that is meant; those that are gone are passed over. */
  void each(Console console, Question question) {
    if (place != null) {
      HostPort at = HostPort.parse("--at", place);
      Token token = token(tokenFile);
      ask(StoreClient.tcp(at.host(), at.port(), token, DEADLINE), question);
      return;
    }
    if (socket != null) {
      ask(StoreClient.unix(socket, DEADLINE), question);
      return;
    }
    for (Path file : sockets()) {
      try (StoreClient store = StoreClient.unix(file, DEADLINE)) {
        question.ask(store);
      } catch (IOException failed) {
        if (!(failed.getCause() instanceof ConnectException)) {
          console.message(String.valueOf(failed.getMessage()));
        }
      }
    }
  }

  private static List<Path> sockets() {
    try {
      return StoreSockets.all();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static void ask(StoreClient client, Question question) {
    try (StoreClient store = client) {
      question.ask(store);
    } catch (IOException failed) {
      throw new HoldfastException(ErrorCode.NO_STORE, String.valueOf(failed.getMessage()), failed);
    }
  }

  HoldfastException none() {
    return new HoldfastException(
        ErrorCode.NO_STORE,
        "no store of yours serves "
            + (port == 0 ? "" : "port " + port + " ")
            + "here ("
            + StoreSockets.folder()
            + ")");
  }

  /** The token of a file, or else of the environment. */
  static Token token(@Nullable Path file) {
    try {
      if (file != null) {
        return Token.read(file);
      }
      String text = System.getenv().getOrDefault("HOLDFAST_STORE_TOKEN", "");
      if (text.isEmpty()) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE,
            "a store is managed over the network with a token: --token-file FILE, or"
                + " HOLDFAST_STORE_TOKEN");
      }
      return Token.of(text);
    } catch (NoSuchFileException missing) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--token-file: " + file + " does not exist", missing);
    } catch (IOException | IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "token: " + wrong.getMessage(), wrong);
    }
  }
}
