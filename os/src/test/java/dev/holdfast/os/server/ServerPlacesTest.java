package dev.holdfast.os.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServerPlacesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static HttpServer server(int status, String answer, AtomicInteger asked)
      throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          byte[] bytes = (answer + " " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static URI uri(HttpServer server) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static URI nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
  }

  @Test
  void theNextIsTriedWhereNobodyAnswersOrAStandbyDoes() throws Exception {
    AtomicInteger waits = new AtomicInteger();
    AtomicInteger leads = new AtomicInteger();
    HttpServer standby = server(503, "standby", waits);
    HttpServer leader = server(200, "leader", leads);
    try (ServerClient client =
        new ServerClient(
            new ServerAddress(nobody(), "", "").or(List.of(uri(standby), uri(leader))))) {
      assertThat(client.post("/a?b=c%20d", "text/plain", "x", PATIENCE))
          .isEqualTo("leader /a?b=c%20d");
      assertThat(client.get("/e", PATIENCE)).isEqualTo("leader /e");
      assertThat(waits).as("whoever answered last is asked first").hasValue(1);
      leader.stop(0);
      assertThatThrownBy(() -> client.get("/e", PATIENCE)).isInstanceOf(IOException.class);
    } finally {
      standby.stop(0);
      leader.stop(0);
    }
  }

  @Test
  void aRefusalIsAnAnswer() throws Exception {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    HttpServer refusing = server(409, "no", first);
    HttpServer other = server(200, "yes", second);
    try (ServerClient client =
        new ServerClient(new ServerAddress(uri(refusing), "", "").or(List.of(uri(other))))) {
      assertThatThrownBy(() -> client.get("/x", PATIENCE)).hasMessageContaining("409");
      assertThat(second).hasValue(0);
    } finally {
      refusing.stop(0);
      other.stop(0);
    }
  }

  @Test
  void withNobodyThereItSaysSo() throws Exception {
    try (ServerClient client =
        new ServerClient(new ServerAddress(nobody(), "", "").or(List.of(nobody())))) {
      assertThatThrownBy(() -> client.get("/x", PATIENCE)).isInstanceOf(ConnectException.class);
    }
  }
}
