package dev.holdfast.agent.link;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.os.server.ServerRefusal;
import dev.holdfast.os.server.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * How a node makes itself known. It chooses its own token, keeps it, and tells the control plane
 * only its hash; so a crash or a lost answer at any moment just means asking again.
 */
public final class Enrolling {
  private static final String FILE = "agent.token";
  private static final String CHOSEN = "agent.token.new";
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final int MOST = 200;

  /** Then whoever started us may try again. */
  private static final int TRIES = 8;

  private Enrolling() {}

  /** The token of a node that is enrolled. */
  public static Optional<String> token(Path state) {
    return read(state.resolve(FILE));
  }

  /**
   * Trades an invitation for a token of this node's own.
   *
   * @param server with the fingerprint it must show
   */
  public static String enrol(ServerAddress server, String invitation, String node, Path state)
      throws IOException, InterruptedException {
    Files.createDirectories(state);
    Path chosen = state.resolve(CHOSEN);
    Optional<String> before = read(chosen);
    String token = before.orElseGet(Token::fresh);
    if (before.isEmpty()) {
      AtomicFile.writeSecret(chosen, (token + "\n").getBytes(StandardCharsets.UTF_8));
    }
    String body =
        Json.line(Json.map("token", invitation, "node", node, "sha256", Token.hash(token)));
    ask(server, body);
    Files.move(
        chosen,
        state.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    return token;
  }

  private static void ask(ServerAddress server, String body)
      throws IOException, InterruptedException {
    Patience patience = new Patience();
    try (ServerClient client =
        new ServerClient(
            new ServerAddress(server.uri(), "", server.fingerprint(), server.others()))) {
      for (int left = TRIES; ; left--) {
        try {
          String _ = client.post("/api/v1/enrol", "application/json", body, ANSWER);
          return;
        } catch (ServerRefusal refusal) {
          if (refusal.status() != 503 && refusal.status() != 429 || left == 1) {
            throw refusal;
          }
        } catch (IOException away) {
          if (left == 1 || away.getCause() instanceof SSLException) {
            throw away;
          }
        }
        patience.pause();
      }
    }
  }

  private static Optional<String> read(Path file) {
    return BoundedFile.read(file, MOST).text().map(String::strip).filter(Token::wellFormed);
  }
}
