package dev.holdfast.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SourceTest {
  private final List<Long> heard = Collections.synchronizedList(new ArrayList<>());
  private volatile long durable;
  private volatile boolean broken;
  private HttpServer server;
  private Line line;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/reports",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          body.lines().map(Report::of).forEach(it -> heard.add(it.sequence()));
          byte[] answer =
              ("{\"source\":\"node/n1\",\"epoch\":7,\"sequence\":" + durable + "}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(broken ? 503 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    line = new Line(ServerAddress.plain("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    line.close();
    server.stop(0);
  }

  @Test
  void whatIsNotDurableIsSentAgainInItsOrder() throws Exception {
    Source source = new Source("node/n1", 7, Clock.systemUTC(), line);
    for (int i = 0; i < 3; i++) {
      source.say(new Statement.Answered("a-" + i, Statement.Answer.DONE, ""));
    }
    broken = true;
    assertThatThrownBy(source::send).isInstanceOf(IOException.class);
    broken = false;
    durable = 2;
    source.send();
    assertThat(source.empty()).isFalse();
    durable = 3;
    source.send();
    assertThat(source.empty()).isTrue();
    assertThat(heard).containsExactly(1L, 2L, 3L, 1L, 2L, 3L, 3L);
  }

  @Test
  void aShapePlacesEveryNode() {
    Shape shape = new Shape(100, 8);
    assertThat(shape.leaves()).isEqualTo(4);
    assertThat(shape.behind(3)).hasSize(4);
    assertThat(shape.describe(33).place())
        .containsEntry("rack", "rack002")
        .containsEntry("leaf", "leaf01")
        .containsEntry("power", "row00");
    assertThat(shape.describe(33).devices()).hasSize(16);
    assertThatThrownBy(() -> new Shape(0, 8)).isInstanceOf(IllegalArgumentException.class);
  }
}
