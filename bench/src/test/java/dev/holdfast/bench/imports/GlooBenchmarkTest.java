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

/** In the formats of gloo's benchmark/runner.cc, with the sizes of benchmark/main.cc. */
class GlooBenchmarkTest {
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final double GIBI = 1.073741824;

  private static Imported read(String text) {
    return Importers.read(new Log("gloo.log", text), Optional.empty(), Hints.NONE);
  }

  private static String table(String algorithm, int processes, String rows) {
    return """
    ====================================================================================================
                                          %s

    Device:      tcp, pci=, iface=eth0, speed=-1, addr=[10.0.0.1]
    Options:     processes=%d, inputs=1, threads=1, verify=true

    ====================================================================================================
                                            BENCHMARK RESULTS

       size (B)   elements   min (us)   p50 (us)   p99 (us)   max (us)   bandwidth (GB/s)   iterations
    %s
    ====================================================================================================
    """
        .formatted(algorithm, processes, rows);
  }

  @Test
  void theAlgorithmIsNamedInABannerSince2021() {
    Imported imported =
        read(
            table(
                "ALLREDUCE_HALVING_DOUBLING",
                2,
                """
                        400        100        106        146       1130       4150              0.002         1211
                      40000      10000        114        153       1105       6419              0.179         1479
                """));
    assertThat(imported.about())
        .containsEntry("device", "tcp, pci=, iface=eth0, speed=-1, addr=[10.0.0.1]");
    assertThat(imported.results())
        .hasSize(2)
        .allMatch(it -> it.collective() == Collective.ALL_REDUCE && it.ranks() == 2)
        .allMatch(it -> it.variant().equals("allreduce_halving_doubling"));
    assertThat(imported.results().getLast().bytes()).isEqualTo(40_000);
    assertThat(imported.results().getLast().busbw()).isCloseTo(0.179 * GIBI, CLOSE);
  }

  @Test
  void severalTablesAndDevicesAreToldApart() {
    String rows =
        "     40000      10000         35         63        266       4421              0.434         3571\n";
    Imported imported =
        read(
            table("BROADCAST_ONE_TO_ALL", 2, rows)
                    .replace(
                        "Device:      tcp, pci=, iface=eth0, speed=-1, addr=[10.0.0.1]",
                        "Devices:     \n  - tcp, iface=eth0\n  - tcp, iface=eth1")
                + table("ALLREDUCE_RING", 2, rows).replace("(us)", "(ns)"));
    assertThat(imported.results())
        .extracting(NetResult::variant)
        .containsExactly("broadcast_one_to_all", "allreduce_ring");
    assertThat(imported.results().getLast().latency().p50()).isCloseTo(63e-9, CLOSE);
    assertThat(
            read(table("REDUCE", 2, rows)
                    .replaceFirst("Device: .*", "Devices:     \n  - tcp, a\n  - tcp, b"))
                .about())
        .containsEntry("device", "tcp, a; tcp, b");
  }

  @Test
  void whatIsPrintedIsOneRanksPartOfSomeCollectives() {
    String row =
        "   1000000     250000      10000      10000      10000      10000              0.093          100\n";
    NetResult gathered = read(table("ALLGATHER", 4, row)).results().getFirst();
    assertThat(gathered.bytes()).isEqualTo(4_000_000);
    assertThat(gathered.algbw()).isCloseTo(0.4, CLOSE);
    assertThat(gathered.busbw()).isCloseTo(0.3, CLOSE);
    assertThat(read(table("SCATTER", 4, row)).results().getFirst().bytes()).isEqualTo(4_000_000);
    assertThat(read(table("ALLTOALL", 4, row)).results().getFirst().bytes())
        .as("always of eight bytes")
        .isEqualTo(4 * 250_000 * 8);
    for (String whole : new String[] {"REDUCE_SCATTER", "REDUCE", "BROADCAST", "ALLREDUCE_BCUBE"}) {
      assertThat(read(table(whole, 4, row)).results().getFirst().bytes()).isEqualTo(1_000_000);
    }
    String twoInputs = table("ALLGATHER_RING", 4, row).replace("inputs=1", "inputs=2");
    assertThat(read(twoInputs).results().getFirst().bytes()).isEqualTo(8_000_000);
  }

  @Test
  void printedBandwidthsAreOfTheWholeToo() {
    NetResult exchanged =
        read(table(
                "ALLTOALL",
                4,
                "   1000000     250000       1000       1000       1000       1000              0.931          100\n"))
            .results()
            .getFirst();
    assertThat(exchanged.algbw()).isCloseTo(8 * 0.931 * GIBI, CLOSE);
  }

  @Test
  void aRoundTripIsHalved() {
    NetResult result =
        read(table(
                "SENDRECV_ROUNDTRIP",
                2,
                "       400        100         20         40         90        400              0.009        50000\n"))
            .results()
            .getFirst();
    assertThat(result.collective()).isEqualTo(Collective.LATENCY);
    assertThat(result.figure()).isCloseTo(20e-6, CLOSE);
  }

  @Test
  void tablesWhoseSizesAreNotWhatWasMovedAreLeftOut() {
    String row =
        "   1000000     250000      10000      10000      10000      10000              0.093          100\n";
    assertThatThrownBy(() -> read(table("ALLGATHER_V", 4, row)))
        .hasMessageContaining("allgather_v gives every rank another share");
    assertThatThrownBy(() -> read(table("SENDRECV_STRESS", 2, row)))
        .hasMessageContaining("many messages at once");
    assertThatThrownBy(() -> read(table("ALLREDUCE_LOCAL", 2, row)))
        .hasMessageContaining("inside one process");
    Imported imported = read(table("ALLTOALL_V", 4, row) + table("REDUCE", 4, row));
    assertThat(imported.results())
        .singleElement()
        .matches(it -> it.collective() == Collective.REDUCE);
    assertThat(imported.notes())
        .anyMatch(it -> it.startsWith("a table is left out: alltoall_v gives"));
  }

  @Test
  void theLastRowBeforeVerifyErrorsIsLeftOut() {
    Imported imported =
        read(
            table(
                    "REDUCE",
                    2,
                    """
                            400        100        106        146       1130       4150              0.002         1211
                            800        200        101        145       3404      10262              0.003         1295
                    """)
                + """
                                                  VERIFY ERRORS

                Rank: 0 Mismatch at index: 3
                12 100 100 100 100 100 0.100 12

                ====================================================================================================
                """);
    assertThat(imported.results()).singleElement().matches(it -> it.bytes() == 400);
    assertThat(imported.notes())
        .contains("line 12 is left out: its values were wrong (VERIFY ERRORS)");
  }

  @Test
  void aTableWithoutItsTopNeedsTheCollective() {
    String text =
        """
           size (B)   elements   min (us)   p50 (us)   p99 (us)   max (us)   bandwidth (GB/s)   iterations
                400        100        106        146       1130       4150              0.002         1211
        """;
    assertThatThrownBy(() -> read(text)).hasMessageContaining("give --collective");
    Imported told =
        Importers.read(
            new Log("gloo.log", text),
            Optional.empty(),
            new Hints(OptionalInt.of(2), Optional.of(Collective.ALL_REDUCE)));
    assertThat(told.results()).singleElement().matches(it -> it.bytes() == 400);
  }

  /** Many slow calls look like elements of two bytes: rather none than false sizes. */
  @Test
  void oneRowThatSpeaksOfAnotherWidthIsEnough() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    Algorithm:   allreduce_ring_chunked
                    Options:     processes=2, inputs=1, threads=1

                       elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples
                          50000        172        296       4461       7428        0.318        633
                        1000000       1349       3058       8670       8670        1.054         54
                    """))
        .hasMessageContaining("other than four bytes");
  }

  @Test
  void aMeanTimeIsNotTakenForABandwidth() {
    NetResult result =
        read("""
                Algorithm:   new_allreduce_ring
                Options:     processes=4, inputs=1, threads=1

                   elements   min (us)   p50 (us)   p99 (us)  p995 (us)   max (us)   avg (us)    samples
                    1048576       4040       4698       6128       7234      12366       4748       1000
                """)
            .results()
            .getFirst();
    assertThat(result.algbw()).isCloseTo(4_194_304 / 4698e-6 / 1e9, CLOSE);
  }
}
