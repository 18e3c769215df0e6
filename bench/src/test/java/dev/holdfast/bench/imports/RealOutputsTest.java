package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * What programs of Debian 12 printed over the loopback of a small virtual machine, untouched but
 * for the name of the host: iperf3 3.12 ({@code -t 2 -J}) and qperf 0.4.11 ({@code -t 1 tcp_bw
 * tcp_lat}, and with {@code -vv}).
 */
class RealOutputsTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  private static Imported read(String name) throws IOException {
    try (InputStream file = RealOutputsTest.class.getResourceAsStream("/imports/" + name)) {
      String text =
          new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
      return Importers.read(new Log(name, text), Optional.empty(), Hints.NONE);
    }
  }

  @Test
  void iperf3() throws IOException {
    Imported imported = read("iperf3-tcp.json");
    assertThat(imported.tool()).isEqualTo("iperf3");
    assertThat(imported.about())
        .containsEntry("iperf3", "iperf 3.12")
        .containsEntry("hosts", "127.0.0.1,127.0.0.1");
    assertThat(imported.notes())
        .contains("10 segments were sent again")
        .anyMatch(it -> it.contains("from 73 to 127 %"));
    assertThat(imported.results()).hasSize(1);
    NetResult result = imported.results().getFirst();
    assertThat(result.collective()).isEqualTo(Collective.BANDWIDTH);
    assertThat(result.variant()).isEqualTo("tcp");
    assertThat(result.bytes()).isEqualTo(131_072);
    assertThat(result.busbw()).as("the receiver's").isCloseTo(13.315312342618359 / 8, CLOSE);
    assertThat(result.busbw() * 1e9)
        .as("its bytes over its seconds")
        .isCloseTo(3_330_670_592.0 / 2.001107, within(1e3));
  }

  @Test
  void qperfTellsSizesWhenItIsVerbose() throws IOException {
    Imported imported = read("qperf-tcp-verbose.txt");
    assertThat(imported.notes()).isEmpty();
    requireBoth(imported, 2.15, 7.43e-6);
    NetResult stream = imported.results().getFirst();
    assertThat(stream.messageRate()).as("it printed 32.8 K/sec").isCloseTo(32_800, within(100.0));
  }

  @Test
  void qperfTellsNoSizesOtherwise() throws IOException {
    Imported imported = read("qperf-tcp.txt");
    assertThat(imported.notes()).singleElement().asString().contains("the default is taken");
    requireBoth(imported, 1.86, 4.97e-6);
  }

  private static void requireBoth(Imported imported, double gigabytes, double seconds) {
    assertThat(imported.tool()).isEqualTo("qperf");
    assertThat(imported.results()).hasSize(2).allMatch(it -> it.variant().equals("tcp"));
    NetResult stream = imported.results().getFirst();
    assertThat(stream.collective()).isEqualTo(Collective.BANDWIDTH);
    assertThat(stream.bytes()).isEqualTo(65_536);
    assertThat(stream.busbw()).isCloseTo(gigabytes, CLOSE);
    NetResult exchange = imported.results().getLast();
    assertThat(exchange.collective()).isEqualTo(Collective.LATENCY);
    assertThat(exchange.bytes()).isEqualTo(1);
    assertThat(exchange.figure()).isCloseTo(seconds, CLOSE);
  }
}
