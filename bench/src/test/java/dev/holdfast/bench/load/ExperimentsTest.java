package dev.holdfast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every measurement, with few clients, against a real store in this process. */
class ExperimentsTest {
  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // started before every test
  private StoreServer store;

  @BeforeEach
  void start() throws IOException {
    store =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withThreads(2),
            log::add);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private Fields measure(String measure, String operation) throws IOException {
    Map<String, @Nullable Object> order =
        Json.map(
            "measure",
            measure,
            "operation",
            operation,
            "port",
            store.port(),
            "connections",
            50,
            "warmUpSeconds",
            0.05,
            "seconds",
            0.3);
    return Fields.of(
        "answer", LoadProcess.measure(Fields.of("order", Json.object(Json.line(order))), 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"add", "get", "wait", "check", "set"})
  void operationsAreCountedAndAnsweredRightly(String operation) throws IOException {
    Fields answer = measure("load", operation);
    assertThat(answer.decimal("operationsPerSecond", 0)).isPositive();
    assertThat(answer.decimal("p50Seconds", 0)).isPositive();
    assertThat(answer.decimal("p99Seconds", 0))
        .isGreaterThanOrEqualTo(answer.decimal("p50Seconds", 0));
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fanOut", "cancel", "cancelOwn"})
  void whatHappensToAllIsTimed(String measure) throws IOException {
    assertThat(measure(measure, "").decimal("seconds", 0)).isPositive();
    assertThat(log).isEmpty();
  }

  @Test
  void everybodyArrivesAndIsCounted() throws IOException {
    Fields answer = measure("accept", "");
    assertThat(answer.decimal("ready", 0)).isEqualTo(50);
    assertThat(log).isEmpty();
    assertThat(answer.decimal("seconds", 0)).isPositive();
  }

  @Test
  void aServerThatHangsUpIsTold() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = listener.accept()) {
                  socket.getInputStream().readNBytes(10);
                } catch (IOException closed) {
                  // the end of the test
                }
              });
      Experiments experiments =
          new Experiments(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()),
              new ProcessGauge(0),
              1);
      assertThatThrownBy(() -> experiments.accept(1, 20))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the server");
    }
  }

  @Test
  void anUnknownOperationIsRefused() {
    assertThatThrownBy(() -> measure("load", "divide")).hasMessageContaining("divide");
  }

  @Test
  void thisProcessCanBeLookedAt() {
    ProcessGauge self = new ProcessGauge(ProcessHandle.current().pid());
    assertThat(self.visible()).isTrue();
    assertThat(self.cpuSeconds()).isPositive();
    assertThat(self.cpuSecondsExact()).isPositive();
    assertThat(self.residentBytes()).isGreaterThan(1 << 20);
    assertThat(self.descriptors()).isPositive();
    assertThat(new ProcessGauge(0).visible()).isFalse();
  }

  @Test
  void processorTimeIsExactUnlessAThreadTookItsShareAlong() {
    ProcessGauge.Spent before = new ProcessGauge.Spent(1.00, 1.002);
    assertThat(new ProcessGauge.Spent(1.50, 1.508).since(before)).isCloseTo(0.506, within(1e-9));
    assertThat(new ProcessGauge.Spent(1.50, 1.2).since(before)).isCloseTo(0.5, within(1e-9));
  }
}
