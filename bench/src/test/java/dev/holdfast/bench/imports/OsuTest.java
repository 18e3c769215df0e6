package dev.holdfast.bench.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Figures are from outputs that people posted. */
class OsuTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  private static Imported read(String text, int ranks) {
    OptionalInt said = ranks == 0 ? OptionalInt.empty() : OptionalInt.of(ranks);
    return Importers.read(
        new Log("osu.log", text), Optional.empty(), new Hints(said, Optional.empty()));
  }

  @Test
  void oneSidedTestsAreNotMixedWithTwoSidedOnes() {
    Imported imported =
        read(
            """
            # OSU MPI_Put Latency Test v5.8
            # Window creation: MPI_Win_allocate
            # Synchronization: MPI_Win_flush
            # Size          Latency (us)
            1                       0.44
            # OSU MPI_Get-CUDA Bandwidth Test v5.8
            # Size      Bandwidth (MB/s)
            1                      10.00
            # OSU MPI_Accumulate latency Test v5.8
            # Window creation: MPI_Win_allocate
            # Synchronization: MPI_Win_fence
            # Size          Latency (us)
            1                       0.48
            # OSU MPI Latency Test v5.8
            # Size          Latency (us)
            1                       0.46
            """,
            0);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly(
            "put win_allocate win_flush", "get cuda", "accumulate win_allocate win_fence", "");
    assertThat(imported.results().getLast().figure()).isCloseTo(0.46e-6, CLOSE);
  }

  @Test
  void variantsOfACallAreNotMixed() {
    Imported imported =
        read(
            """
            # OSU MPI Allgather Latency Test v5.6.3
            # Size       Avg Latency(us)
            1024                    5.00
            # OSU MPI Allgatherv Latency Test v5.6.3
            # Size       Avg Latency(us)
            1024                    6.00
            # OSU MPI Allgather Persistent Latency Test v7.5
            # Size       Avg Latency(us)
            1024                    4.00
            # OSU NCCL-CUDA Allgather Latency Test v7.5
            # Size       Avg Latency(us)
            1024                   20.00
            # OSU MPI Latency Test v5.6.3
            # Size          Latency (us)
            8                       0.24
            # OSU MPI Multi Latency Test v5.6.3
            # Size          Latency (us)
            8                       0.50
            """,
            4);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly("", "allgatherv", "persistent", "nccl cuda", "", "multi");
    assertThat(imported.results().subList(0, 4))
        .allMatch(it -> it.collective() == Collective.ALL_GATHER && it.bytes() == 4096);
  }

  @Test
  void pairsAndTypeHoldUntilTheNextTitle() {
    Imported imported =
        read(
            """
            # OSU MPI Multiple Bandwidth / Message Rate Test v5.6.2
            # [ pairs: 4 ] [ window size: 64 ]
            # Size                  MB/s        Messages/s
            2                      15.93        7962625.43
            # OSU MPI Bandwidth Test v5.6.2
            # Size      Bandwidth (MB/s)
            2                      14.52
            # OSU MPI Allreduce Latency Test v7.4
            # Datatype: MPI_CHAR.
            # Size       Avg Latency(us)
            4                      58.54
            # OSU MPI Barrier Latency Test v5.8
            # Avg Latency(us)
                         1.41
            """,
            4);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly("4 pairs", "", "", "");
    assertThat(imported.results()).extracting(NetResult::type).containsExactly("", "", "char", "");
  }

  @Test
  void whereBuffersAreTellsResultsApart() {
    Imported imported =
        read(
            """
            # OSU MPI-CUDA Bandwidth Test v5.6.1
            # Send Buffer on HOST (H) and Receive Buffer on DEVICE (D)
            # Size      Bandwidth (MB/s)
            1                       1.58
            # OSU MPI-CUDA Bandwidth Test v5.6.1
            # Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)
            # Size      Bandwidth (MB/s)
            1                       0.73
            # OSU MPI-CUDA Bandwidth Test v5.6.1
            # Send Buffer on HOST (H) and Receive Buffer on HOST (H)
            # Size      Bandwidth (MB/s)
            1                       2.50
            # OSU MPI-ROCM Allreduce Latency Test v7.0
            # Size       Avg Latency(us)
            16777216             8630.58
            # OSU MPI Allreduce Latency Test v7.0
            # Size       Avg Latency(us)
            16777216             9000.00
            """,
            4);
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly("cuda H D", "cuda D H", "", "rocm", "");
  }

  @Test
  void anExchangeIsAllToAll() {
    Imported imported =
        read(
            """
            # OSU MPI All-to-All Personalized Exchange Latency Test v7.5
            # Datatype: MPI_CHAR.
            # Size       Avg Latency(us)
            1048576               370.06
            # OSU MPI All-to-Allv Personalized Exchange Latency Test v7.5
            # Datatype: MPI_CHAR.
            # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations  P50 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)
            4096                  467.38            460.43            474.05        1000            407.18            584.22            634.30
            """,
            8);
    assertThat(imported.results())
        .hasSize(2)
        .allMatch(it -> it.collective() == Collective.ALL_TO_ALL);
    assertThat(imported.results().getFirst().bytes()).isEqualTo(8 * 1_048_576);
    assertThat(imported.results().getLast().variant()).isEqualTo("alltoallv");
    assertThat(imported.results().getLast().latency().p99()).isCloseTo(634.3e-6, CLOSE);
  }

  @Test
  void oldTitlesAndHeadingsWhoseBlanksWereLostAreRead() {
    Imported imported =
        read(
            """
            # OSU MPI Bandwidth Test (Version 2.1)
            # Size\t\tBandwidth (MB/s)
            1048576\t\t1107.400559
            # OSU MPI Bidirectional Bandwidth Test (Version 2.1)
            # Size Bandwidth (MB/s)
            1048576 2000.5
            # OSU MPI Latency Test v3.1.1
            # Size Latency (us)
            8 1.25
            """,
            0);
    assertThat(imported.about()).containsEntry("osu", "3.1.1");
    assertThat(imported.results())
        .extracting(NetResult::collective)
        .containsExactly(Collective.BANDWIDTH, Collective.BIDIRECTIONAL, Collective.LATENCY);
    assertThat(imported.results().getFirst().busbw()).isCloseTo(1.107400559, CLOSE);
    assertThat(imported.notes()).isEmpty();
  }

  @Test
  void columnsAreFoundWhereTheirBlanksWereLost() {
    Imported imported =
        read(
            """
            # OSU MPI Allreduce Latency Test v7.0
            # Size Avg Latency(us) Min Latency(us) Max Latency(us) Iterations P99 Tail Lat(us)
            16777216 8630.58 8619.50 8642.46 10 8641.00
            """,
            4);
    NetResult result = imported.results().getFirst();
    assertThat(result.latency().max()).isCloseTo(8642.46e-6, CLOSE);
    assertThat(result.latency().p99()).isCloseTo(8641e-6, CLOSE);
  }

  private static final String NON_BLOCKING =
      """
      # OSU MPI Non-blocking Allreduce Latency Test v5.6.3
      # Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

      # Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
      4                       8.77              5.32              4.43             22.08
      """;

  @Test
  void aTestThatIsNotKnownIsLeftOutOfALog() {
    Imported imported =
        read(
            """
            # OSU MPI Barrier Latency Test v5.6.3
            # Avg Latency(us)
                         1.57
            """
                + NON_BLOCKING
                + """
                # OSU MPI_Bcast (data-varying)
                # Size       Avg Latency(us)
                4                       1.00
                """,
            4);
    assertThat(imported.results())
        .singleElement()
        .matches(it -> it.collective() == Collective.BARRIER);
    assertThat(imported.notes())
        .containsExactly(
            "rows of a test are left out: 'Non-blocking Allreduce Latency' overlaps computing with"
                + " communicating: its times are not of a call",
            "rows of a test are left out: no test known as # OSU MPI_Bcast (data-varying)");
  }

  @Test
  void aLogOfTestsThatAreNotKnownIsRefusedWithTheReason() {
    assertThatThrownBy(() -> read(NON_BLOCKING, 4))
        .hasMessageStartingWith("'Non-blocking Allreduce Latency' overlaps");
    assertThatThrownBy(
            () ->
                read(
                    """
                    # OSU MPI Multiple Bandwidth / Message Rate Test v5.7
                    # [ pairs: 1 ] [ window size: varied ]

                    # Uni-directional Bandwidth (MB/sec)
                    #                 1           2           4
                    1              2.31        5.95        9.39
                    """,
                    0))
        .hasMessageContaining("varies the window");
  }

  @Test
  void indentationDoesNoHarm() {
    Imported imported =
        read(
            """
             You are using Wi4MPI-3.6.0 with the mode preload From MPICH To OMPI
             # OSU MPI Allreduce Latency Test v5.9
               # Size       Avg Latency(us)
             524288                318.04
            """,
            4);
    assertThat(imported.results()).singleElement().matches(it -> it.bytes() == 524_288);
  }

  @Test
  void rowsWithWrongValuesAreLeftOut() {
    Imported imported =
        read(
            """
            # OSU MPI Bandwidth Test v7.5
            # Datatype: MPI_CHAR.
            # Size      Bandwidth (MB/s)        Validation
            65536               22049.82              Pass
            131072              23136.20              Fail
            """,
            0);
    assertThat(imported.results()).singleElement().matches(it -> it.bytes() == 65_536);
    assertThat(imported.notes()).containsExactly("line 5 is left out: its values were wrong");
  }
}
