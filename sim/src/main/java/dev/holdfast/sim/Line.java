package dev.holdfast.sim;

import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The way to the control plane; shared by all simulated sources. */
public final class Line implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(20);

  private final ServerClient server;

  public Line(ServerAddress server) {
    this.server = new ServerClient(server);
  }

  private static Fields read(String answer) {
    return Fields.of("answer", Json.object(answer));
  }

  /** Tells; up to where it is durable. */
  Receipt tell(String source, List<Report> reports) throws IOException, InterruptedException {
    String lines = reports.stream().map(Report::line).collect(Collectors.joining("\n"));
    String path = "/api/v1/reports?source=" + ServerClient.encoded(source);
    return Receipt.of(read(server.post(path, "application/x-ndjson", lines, ANSWER)));
  }

  /** What is asked of a source; waits a while for something to come. */
  List<Request> asked(String source, int seconds) throws IOException, InterruptedException {
    String path = "/api/v1/requests?wait=" + seconds + "&source=" + ServerClient.encoded(source);
    return read(server.get(path, ANSWER.plusSeconds(seconds))).objects("requests").stream()
        .map(Request::of)
        .toList();
  }

  @Override
  public void close() {
    server.close();
  }
}
