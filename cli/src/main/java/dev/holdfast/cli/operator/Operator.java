package dev.holdfast.cli.operator;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.os.server.ServerRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the control plane and turns whatever goes wrong into one sentence with a way out. */
public final class Operator implements AutoCloseable {
  private static final String API = "/api/v1";
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(120);
  private static final int MOST_PAGES = 1_000;

  private final ServerClient client;

  /**
   * @param client closed with this
   */
  public Operator(ServerClient client) {
    this.client = client;
  }

  public ServerAddress address() {
    return client.address();
  }

  private interface Call<T> {
    T ask() throws IOException, InterruptedException;
  }

  /** What stands at a path below the API. */
  public Map<String, @Nullable Object> get(String path) {
    return told(() -> Json.object(client.get(API + path, PATIENCE)));
  }

  /** What stands at a path below the API, when it is no text. */
  public byte[] bytes(String path) {
    return told(() -> client.bytes(API + path, LONG_PATIENCE));
  }

  /** The lines at a path below the API; it may take its time over them. */
  public List<String> lines(String path) {
    return told(
        () -> client.get(API + path, LONG_PATIENCE).lines().filter(it -> !it.isBlank()).toList());
  }

  /** The list of that name, page after page to its end; {@code all}: also what is over. */
  public List<Map<String, @Nullable Object>> list(String name, boolean all) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    String after = "";
    for (int page = 0; page < MOST_PAGES; page++) {
      Map<String, @Nullable Object> answer =
          get("/" + name + "?limit=1000&after=" + part(after) + (all ? "&all=true" : ""));
      list.addAll(trees(answer, name));
      if (!(answer.get("next") instanceof String next)) {
        return list;
      }
      after = next;
    }
    throw new HoldfastException(
        ErrorCode.REFUSED, "more than " + MOST_PAGES + " pages of " + name + " are not listed");
  }

  /** Wants something; returns once it is durable. */
  public void post(String path, Map<String, @Nullable Object> body) {
    told(() -> client.post(API + path, "application/json", Json.line(body), PATIENCE));
  }

  /** Wants something and is told what came of it. */
  public Map<String, @Nullable Object> ask(String path, Map<String, @Nullable Object> body) {
    return told(
        () -> Json.object(client.post(API + path, "application/json", Json.line(body), PATIENCE)));
  }

  /** What happens, as it happens; the caller closes it. */
  public InputStream events() {
    return told(() -> client.stream(API + "/events"));
  }

  /** An id as a part of a path. */
  public static String part(String id) {
    return ServerClient.encoded(id).replace("+", "%20");
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, @Nullable Object>> trees(
      Map<String, @Nullable Object> answer, String name) {
    return answer.get(name) instanceof List<?> list
        ? (List<Map<String, @Nullable Object>>) list
        : List.of();
  }

  private <T> T told(Call<T> call) {
    try {
      return call.ask();
    } catch (ServerRefusal refused) {
      throw refusal(refused);
    } catch (IOException problem) {
      throw new HoldfastException(ErrorCode.NO_CONTROL_PLANE, unreached(problem), problem);
    } catch (IllegalArgumentException garbage) {
      throw new HoldfastException(
          ErrorCode.NO_CONTROL_PLANE,
          address() + " answers, but not as a control plane does: " + garbage.getMessage(),
          garbage);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new HoldfastException(ErrorCode.NO_CONTROL_PLANE, "interrupted", ending);
    }
  }

  private String unreached(IOException problem) {
    String why = problem.getMessage();
    if (problem instanceof HttpTimeoutException) {
      why = "it does not answer in time";
    } else if (why == null || why.isBlank()) {
      why = problem instanceof java.net.ConnectException ? "nobody listens there" : "" + problem;
    }
    return address() + ": " + why;
  }

  private HoldfastException refusal(ServerRefusal refused) {
    String said = said(String.valueOf(refused.getMessage()));
    ErrorCode code =
        switch (refused.status()) {
          case 401, 403 -> ErrorCode.NOT_PERMITTED;
          case 404 -> ErrorCode.NOT_KNOWN;
          case 400, 409 -> ErrorCode.REFUSED;
          default -> ErrorCode.NO_CONTROL_PLANE;
        };
    boolean sick = code == ErrorCode.NO_CONTROL_PLANE;
    return new HoldfastException(
        code, sick ? address() + " answers " + refused.status() + ": " + said : said, refused);
  }

  /** The sentence in the server's answer, which is JSON when it is ours. */
  public static String said(String message) {
    String body = message.substring(message.indexOf(' ') + 1);
    try {
      return Fields.of("answer", Json.object(body)).text("error");
    } catch (IllegalArgumentException foreign) {
      return body.isBlank() ? "no reason given" : body;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
