package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Figures are from outputs that people posted. */
class Iperf3Test {
  private static Imported read(String text) {
    return Importers.read(new Log("iperf3.log", text), Optional.empty(), Hints.NONE);
  }

  @Test
  void aReceiverThatToldNothingIsNotABandwidthOfNothing() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    {"start":{"version":"iperf 3.6","test_start":{"protocol":"TCP","num_streams":1,"blksize":131072}},
                     "intervals":[{"sum":{"seconds":0.0662,"bytes":56320,"bits_per_second":6804496.5,"omitted":false}}],
                     "end":{"sum_sent":{"seconds":0.0662,"bytes":56320,"bits_per_second":6804496.5,"retransmits":0},
                            "sum_received":{"seconds":0.1324,"bytes":0,"bits_per_second":0}}}
                    """))
        .hasMessageContaining("sum_received is 0 bytes, but 56320 bytes were sent");
  }

  @Test
  void ofUdpWhatWasLostDoesNotCount() {
    Imported imported =
        read(
            """
            {"start":{"test_start":{"protocol":"UDP","num_streams":1,"blksize":8192}},
             "intervals":[{"sum":{"seconds":0.785,"bytes":81920000,"bits_per_second":834711189.0,"packets":10000,"omitted":false}}],
             "end":{"sum":{"seconds":0.785,"bytes":81920000,"bits_per_second":834711189.0,
                           "lost_packets":69,"packets":9996,"lost_percent":0.690276}}}
            """);
    assertThat(imported.results().getFirst().busbw())
        .isCloseTo(0.834711189 / 8 * (1 - 0.00690276), within(1e-9));
    assertThat(imported.notes()).containsExactly("0.69 % of the datagrams were lost");
  }

  @Test
  void ofUdpTheSendersIntervalsSayNothingAboutTheResult() {
    Imported imported =
        read(
            """
            {"start":{"version":"iperf 3.12","test_start":{"protocol":"UDP","num_streams":1,"blksize":1398,"reverse":0}},
             "intervals":[
              {"sum":{"seconds":1.0,"bytes":213994656,"bits_per_second":1711233474.0,"packets":153072,"omitted":false,"sender":true}},
              {"sum":{"seconds":1.0,"bytes":213994656,"bits_per_second":1611233474.0,"packets":153072,"omitted":false,"sender":true}}],
             "end":{"sum":{"bytes":4168780080,"bits_per_second":1667402400.3,"lost_percent":92.026,"sender":true},
                    "sum_sent":{"bytes":4168780080,"bits_per_second":1667402400.3},
                    "sum_received":{"bytes":332398266,"bits_per_second":131580149.1,"lost_percent":92.026}}}
            """);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(0.1315801491 / 8, within(1e-9));
    assertThat(imported.notes()).containsExactly("92.03 % of the datagrams were lost");
  }

  @Test
  void textIsRefusedWithWhatToDo() {
    assertThatThrownBy(
            () ->
                read(
                    """
                        [  4] local 10.0.0.1 port 20139 connected to 10.0.0.2 port 5201
                        [ ID] Interval           Transfer     Bandwidth
                        [  4]   0.00-1.00   sec   639 MBytes  5.36 Gbits/sec
                        - - - - - - - - - - - - - - - - - - - - - - - - -
                        [ ID] Interval           Transfer     Bandwidth
                        [  4]   0.00-10.00  sec  6.23 GBytes  5.35 Gbits/sec                  sender
                    """))
        .hasMessageContaining("run iperf3 with -J");
  }
}
