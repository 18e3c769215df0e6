package dev.holdfast.agent.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** {@code /metrics}, {@code /healthz} and {@code /readyz}, for this machine only. */
public final class MetricsServer implements AutoCloseable {
  /** Whether the agent is well, and why not. */
  public record Health(boolean well, String text) {}

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("metrics-", 0).factory());

  private MetricsServer(HttpServer server) {
    this.server = server;
  }

  public static MetricsServer start(int port, Supplier<String> metrics, Supplier<Health> health)
      throws IOException {
    InetSocketAddress place = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    MetricsServer started = new MetricsServer(HttpServer.create(place, 16));
    started.server.setExecutor(started.threads);
    started.server.createContext(
        "/metrics",
        exchange -> answer(exchange, "/metrics", 200, "text/plain; version=0.0.4", metrics.get()));
    for (String path : List.of("/healthz", "/readyz")) {
      started.server.createContext(
          path,
          exchange -> {
            Health now = health.get();
            answer(exchange, path, now.well ? 200 : 503, "application/json", now.text);
          });
    }
    started.server.start();
    return started;
  }

  private static void answer(
      HttpExchange exchange, String path, int status, String type, String text) throws IOException {
    try (exchange) {
      boolean right = exchange.getRequestURI().getPath().equals(path);
      boolean reads =
          exchange.getRequestMethod().equals("GET") || exchange.getRequestMethod().equals("HEAD");
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (!right || !reads) {
        exchange.sendResponseHeaders(right ? 405 : 404, -1);
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
      boolean body = exchange.getRequestMethod().equals("GET");
      exchange.sendResponseHeaders(status, body ? bytes.length : -1);
      if (body) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
