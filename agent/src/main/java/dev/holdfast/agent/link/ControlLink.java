package dev.holdfast.agent.link;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.os.server.ServerRefusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The requests to the control plane: reports there, what it asks back. */
public final class ControlLink implements AutoCloseable {
  private static final int MOST_PAGES = 1_000;
  private static final Duration ANSWER = Duration.ofSeconds(20);

  /** What we sent is not understood, and never will be. */
  public static final class Refused extends IOException {
    Refused(String why) {
      super(why);
    }
  }

  private final ServerClient server;
  private final String source;

  /**
   * @param self which program of which machine this is
   */
  public ControlLink(ServerAddress server, String source, Self self) {
    this.server = new ServerClient(server, self.headers());
    this.source = source;
  }

  /** Sends reports, or none to hear where the control plane stands. */
  public Receipt send(List<String> lines) throws IOException, InterruptedException {
    String body = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    String path = "/api/v1/reports?source=" + ServerClient.encoded(source);
    String answer = ask(() -> server.post(path, "application/x-ndjson", body, ANSWER));
    return read(() -> Receipt.of(Fields.of("receipt", Json.object(answer))));
  }

  /** What the control plane asks; waits up to {@code wait} for something. */
  public List<Request> requests(Duration wait) throws IOException, InterruptedException {
    String path =
        "/api/v1/requests?wait=" + wait.toSeconds() + "&source=" + ServerClient.encoded(source);
    String answer = ask(() -> server.get(path, wait.plus(ANSWER)));
    return read(
        () -> {
          List<Request> requests = new ArrayList<>();
          Fields document = Fields.of("requests", Json.object(answer));
          document.objects("requests").forEach(fields -> requests.add(Request.of(fields)));
          return requests;
        });
  }

  /** What the control plane believes to hold because we once said so. */
  public List<Finding> held() throws IOException, InterruptedException {
    String node = source.substring(source.indexOf('/') + 1);
    List<Finding> held = new ArrayList<>();
    Optional<String> after = Optional.of("");
    for (int page = 0; after.isPresent(); page++) {
      if (page == MOST_PAGES) {
        throw new IOException("more than " + MOST_PAGES + " pages of findings");
      }
      String path =
          "/api/v1/findings?limit=1000&node=%s&after=%s"
              .formatted(ServerClient.encoded(node), ServerClient.encoded(after.get()));
      String answer = ask(() -> server.get(path, ANSWER));
      after =
          read(
              () -> {
                Fields fields = Fields.of("findings", Json.object(answer));
                fields.objects("findings").stream()
                    .filter(it -> it.text("source", "").equals(source))
                    .map(FindingForm::of)
                    .forEach(held::add);
                return fields.optionalText("next");
              });
    }
    return held;
  }

  private interface Question {
    String ask() throws IOException, InterruptedException;
  }

  private static String ask(Question question) throws IOException, InterruptedException {
    try {
      return question.ask();
    } catch (ServerRefusal refusal) {
      boolean ours = refusal.status() == 400 || refusal.status() == 413;
      throw ours ? new Refused(String.valueOf(refusal.getMessage())) : refusal;
    }
  }

  private static <T> T read(java.util.function.Supplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IllegalArgumentException foreign) {
      throw new IOException("not an answer of a control plane: " + foreign.getMessage(), foreign);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
