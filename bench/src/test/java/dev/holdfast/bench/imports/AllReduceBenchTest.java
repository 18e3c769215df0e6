package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** In the formats of torch-dist-bench.py's print_results and print_combined_results. */
class AllReduceBenchTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  private static Imported read(String text) {
    return Importers.read(new Log("bench.log", text), Optional.empty(), Hints.NONE);
  }

  @Test
  void theSuccessorTimesCallsOfPayloadsTooSmallForABandwidth() {
    Imported imported =
        read(
            """
            The average bandwidth and the per-call latency of all_reduce over 8 ranks (at least 5 warmups / 20 trials, up to 10 queued calls per trial):

            | payload |    busbw   |    algbw   | latency median |    p99    |    mean   | calls |
            | ------: | ---------: | ---------: | -------------: | --------: | --------: | ----: |
            |      8B |            |            |         15.2us |    16.1us |    15.3us |  1000 |
            |  1.5KiB |            |            |         16.0us |    17.0us |    16.0us |  1000 |
            |    1MiB |  74.57GBps |  42.61GBps |         27.7us |    28.5us |    27.8us |    40 |
            |    2MiB |  90.00GBps |  51.

            latency: of one call, in microseconds, each call's time being the slowest rank's
            """);
    assertThat(imported.results())
        .extracting(NetResult::bytes)
        .containsExactly(8L, 1536L, 1L << 20);
    NetResult small = imported.results().getFirst();
    assertThat(small.algbw()).isCloseTo(8 / 15.3e-6 / 1e9, CLOSE);
    NetResult large = imported.results().getLast();
    assertThat(large.busbw()).isEqualTo(74.57);
    assertThat(large.algbw()).isEqualTo(42.61);
    assertThat(large.latency().p50()).isCloseTo(27.7e-6, CLOSE);
    assertThat(large.latency().p99()).isCloseTo(28.5e-6, CLOSE);
    assertThat(imported.notes()).anyMatch(it -> it.startsWith("line 8 is left out"));
  }

  @Test
  void hostOverheadAndRingsOfSendsAreToldApart() {
    NetResult result =
        read("""
                The average bandwidth and the per-call latency of batch_isend_irecv over 8 ranks (at least 5 warmups / 20 trials, 1 call per trial, host overhead included):
                |    1MiB |  74.57GBps |  74.57GBps |         27.7us |    28.5us |    27.8us |    40 |
                """)
            .results()
            .getFirst();
    assertThat(result.collective()).isEqualTo(Collective.SEND_RECV);
    assertThat(result.variant()).isEqualTo("host overhead");
  }

  @Test
  void collectivesSideBySideAreRefusedWithWhatToDo() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    The average bandwidth and the per-call latency of 2 collectives over 8 ranks (at least 5 warmups / 20 trials):

                    | payload | all_reduce busbw | all_reduce median | broadcast busbw | broadcast median |
                    | ------: | ---------------: | ----------------: | --------------: | ---------------: |
                    |    1MiB |            74.57 |              27.7 |           60.00 |             20.0 |
                    """))
        .hasMessageContaining("--separate-tables");
  }

  @Test
  void indentationDoesNoHarm() {
    assertThat(
            read("""
                    $ python all_reduce_bench.py
                      The average bandwidth of all_reduce over 4 ranks (5 warmups / 20 trials):
                      | payload |    busbw   |    algbw   |
                      |   32KiB |   1.18GBps |   0.79GBps |
                    """)
                .results())
        .hasSize(1);
  }
}
