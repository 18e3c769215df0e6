package dev.holdfast.bench.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who else uses the machine and the wire. */
class LoadWatchTest {
  @TempDir Path sys;

  private void counter(String place, String value) throws IOException {
    Path file = sys.resolve("class/infiniband").resolve(place);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value);
  }

  private final Map<String, Map<String, Long>> cards = new TreeMap<>();

  private Map<String, Long> read() {
    return CongestionCounters.read(sys, card -> cards.getOrDefault(card, Map.of()));
  }

  /** Names as drivers of mlx5, bnxt and ice have them. */
  @Test
  void pausesOfEthernetAreAskedOfTheCards() throws IOException {
    Files.createDirectories(sys.resolve("class/net/eth0/device"));
    Files.createDirectories(sys.resolve("class/net/br0"));
    cards.put("br0", Map.of("rx_pause", 1L));
    cards.put(
        "eth0",
        Map.of(
            "rx_prio3_pause", 4L,
            "rx_discards_phy", 1L,
            "rx_pause_frames", 2L,
            "tx_priority_0_xoff.nic", 5L,
            "rx_bytes", 9000L,
            "rx_paused", 3L));
    Map<String, Long> before = read();
    assertThat(before)
        .containsOnlyKeys(
            "eth0 rx_discards_phy",
            "eth0 rx_pause_frames",
            "eth0 rx_prio3_pause",
            "eth0 tx_priority_0_xoff.nic");
    cards.put("eth0", Map.of("rx_prio3_pause", 10L, "rx_discards_phy", 1L));
    assertThat(CongestionCounters.growth(before, read()))
        .containsExactly(Map.entry("eth0 rx_prio3_pause", 6L));
  }

  @Test
  void countersOfCongestionAreFoundByTheirNames() throws IOException {
    counter("mlx5_0/ports/1/hw_counters/rp_cnp_handled", "10\n");
    counter("mlx5_0/ports/1/hw_counters/np_ecn_marked_roce_packets", "7\n");
    counter("mlx5_0/ports/1/hw_counters/roce_slow_restart_cnps", "1\n");
    counter("mlx5_0/ports/1/hw_counters/out_of_sequence", "99\n");
    counter("mlx5_0/ports/1/counters/port_xmit_wait", "1000\n");
    counter("mlx5_1/ports/1/hw_counters/rx_prio3_pause", "not told\n");
    Map<String, Long> before = read();
    assertThat(before)
        .containsOnlyKeys(
            "mlx5_0/1 np_ecn_marked_roce_packets",
            "mlx5_0/1 port_xmit_wait",
            "mlx5_0/1 roce_slow_restart_cnps",
            "mlx5_0/1 rp_cnp_handled");
    counter("mlx5_0/ports/1/hw_counters/rp_cnp_handled", "35\n");
    counter("mlx5_0/ports/1/counters/port_xmit_wait", "3\n");
    counter("mlx5_1/ports/1/hw_counters/rx_prio3_pause", "5\n");
    assertThat(CongestionCounters.growth(before, read()))
        .as("what was reset, and what was not there before, has not grown")
        .containsExactly(Map.entry("mlx5_0/1 rp_cnp_handled", 25L));
  }

  @Test
  void aMachineWithoutSuchAdaptersHasNoCounters() {
    assertThat(read()).isEmpty();
  }

  @Test
  void bytesOfAnInterfaceAreThoseItReceived() {
    String table =
        """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets
            lo: 123456     100    0    0    0     0          0         0   123456     100
          eth0:987       10    0    0    0     0          0         0   55       3
        """;
    assertThat(InterfaceBytes.received(table, "lo")).isEqualTo(123_456);
    assertThat(InterfaceBytes.received(table, "eth0")).isEqualTo(987);
    assertThat(InterfaceBytes.received(table, "eth1")).isZero();
    assertThat(InterfaceBytes.received("lo: many", "lo")).isZero();
  }

  @Test
  void eachKindOfNoiseIsToldAndCongestionIsNoProofOfOthers() {
    assertThat(new Manifest.Load(0, 0, 0.05, 0).noisy()).isFalse();
    assertThat(new Manifest.Load(0, 0, 0.2, 0).noisy()).isTrue();
    assertThat(new Manifest.Load(0, 0, 0, 0.02).noisy()).isTrue();
    Manifest.Load traffic =
        new Manifest.Load(0, 0, 0, 0, 50_000_000, Map.of("mlx5_0/1 rp_cnp_handled", 3L), 0);
    assertThat(traffic.noisy()).isTrue();
    assertThat(traffic.words())
        .contains("50.0 MB/s on the wire were not ours", "mlx5_0/1 rp_cnp_handled +3", "(noisy)");
    Manifest.Load congested = new Manifest.Load(0, 0, 0, 0, 0, Map.of("a cnp", 3L), 0);
    assertThat(congested.noisy()).isFalse();
    Manifest.Load both = traffic.and(congested);
    assertThat(both.foreign()).isEqualTo(50_000_000);
    assertThat(both.congestion()).containsEntry("a cnp", 3L).hasSize(2);
    assertThat(Manifest.Load.read(Fields.of("load", Json.object(Json.line(both.tree())))))
        .isEqualTo(both);
  }

  @Test
  void aSampleTravelsAsText() {
    LoadSample sample = LoadSample.now(CardBytes.now("lo:1", 3, 4));
    assertThat(sample.wire().card()).as("counters are the card's").isEqualTo("lo");
    assertThat(CardBytes.now("none7", 3, 4)).isEqualTo(CardBytes.UNKNOWN);
    assertThat(sample.machine()).isNotEmpty();
    assertThat(sample.busy()).isPositive();
    assertThat(sample.own()).isPositive();
    assertThat(LoadSample.read(Fields.of("looked", Json.object(Json.line(sample.tree())))))
        .isEqualTo(sample);
  }

  @Test
  void optionsOfJavaAreToldWithoutWhereTheBuildLies() {
    assertThat(
            MachineFacts.options(
                "/jdk/bin/java\n-Xmx64m\n-XX:AOTCache=/b/1/c.aot\n-cp\na.jar\nMain"))
        .isEqualTo("-Xmx64m -XX:AOTCache");
  }

  @Test
  void whatThisProcessDoesIsNotOfOthers() {
    LoadWatch watch = LoadWatch.begin();
    Manifest.Load load = watch.end();
    assertThat(load.foreign()).isEqualTo(Manifest.Load.NOT_COUNTED);
    assertThat(load.others()).isNotNegative();
    assertThat(watch.end(Long.MAX_VALUE / 4).foreign()).as("all of it is ours").isZero();
  }
}
