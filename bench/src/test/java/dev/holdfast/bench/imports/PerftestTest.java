package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.network.NetResult;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Figures are from outputs that people posted. */
class PerftestTest {
  private static Imported read(String text) {
    return Importers.read(new Log("perftest.log", text), Optional.empty(), Hints.NONE);
  }

  @Test
  void oldTitlesTellTheOperation() {
    Imported imported =
        read(
            """
            ------------------------------------------------------------------
                                RDMA Write Latency Test
            Connection type : RC
             #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]
             2       1000          1.10           9.96         1.13
                                Send BW  -  Multicast Test
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]
             2048       1000             2757.96            2757.93
                                RDMA_Write Bidirectional Post List BW Test
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]
             2048       1000             2757.96            2757.93
            """);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly("rdma_write", "send multicast", "rdma_write");
  }

  @Test
  void whatOutJsonWritesIsRefusedByName() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    {
                    test_info: {
                    test: RDMA_Write_Latency_Test,
                    Device: "rxe0",
                    },
                    results: {
                    MsgSize: 128,
                    n_iterations: 5000,
                    t_avg: 2.42,
                    },
                    }
                    """))
        .hasMessageContaining("--out_json")
        .hasMessageContaining("the text");
  }

  @Test
  void rowsBehindAMarkAreNamed() {
    String text =
        """
        #  #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
        #  65536      279928           0.00               5830.79               0.093293
        """;
    assertThatThrownBy(() -> read(text)).hasMessageContaining("behind a '#', as of line 2");
    Imported imported =
        read(
            text
                + "   65536      279928           0.00               5830.79               0.093293\n");
    assertThat(imported.results()).hasSize(1);
    assertThat(imported.notes()).containsExactly("line 2 is left out: it is behind a '#'");
  }
}
