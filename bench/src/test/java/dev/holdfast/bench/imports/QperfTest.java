package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QperfTest {
  @Test
  void indentationDoesNoHarm() {
    String text =
        """
        [user@node1 ~]# qperf node2 -t 10 tcp_bw tcp_lat
          tcp_bw:
              bw  =  222 MB/sec
          tcp_lat:
              latency  =  1.34 ms
        """;
    assertThat(Importers.read(new Log("qperf.log", text), Optional.empty(), Hints.NONE).results())
        .extracting(NetResult::collective)
        .containsExactly(Collective.BANDWIDTH, Collective.LATENCY);
  }
}
