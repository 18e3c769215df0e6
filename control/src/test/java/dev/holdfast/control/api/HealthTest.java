package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.testing.Rules;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What load balancers and service managers are told when a thread of a control plane is gone. */
class HealthTest {
  private final AtomicBoolean poison = new AtomicBoolean();
  private final HttpClient client = HttpClient.newHttpClient();

  /** Ends the thread of that name when it asks what time it is. */
  private final class Poisoned extends Clock {
    @Override
    public Instant instant() {
      if (poison.get() && Thread.currentThread().getName().equals("retention")) {
        throw new IllegalStateException("poisoned by the test");
      }
      return Instant.now();
    }

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private HttpResponse<String> get(ControlPlane control, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + control.port() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aThreadThatMustLiveAndDoesNotIsNamedToWhoeverAsks() throws Exception {
    try (ControlPlane control =
        new ControlPlane(
            Journal.at("jdbc:h2:mem:health"),
            Rules.usual(),
            _ -> Rules.usual(),
            "127.0.0.1",
            0,
            new Poisoned())) {
      for (String path : new String[] {"/healthz", "/readyz"}) {
        HttpResponse<String> well = get(control, path);
        assertThat(well.statusCode()).isEqualTo(200);
        assertThat(well.body()).contains("\"role\":\"leader\"", "\"late\":[]");
      }

      poison.set(true);
      control.keep(Duration.ofDays(1));

      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (get(control, "/healthz").statusCode() == 200 && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      for (String path : new String[] {"/healthz", "/readyz"}) {
        HttpResponse<String> ill = get(control, path);
        assertThat(ill.statusCode()).isEqualTo(503);
        assertThat(ill.body()).contains("\"problem\":\"retention has ended\"");
      }
    }
  }
}
