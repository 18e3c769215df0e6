package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The formulas of bandwidth, and results as JSON. */
class CollectiveTest {
  private static final double NOTHING = 1e-12;

  @Test
  void busBandwidthsFollowTheFormulasOfNcclTests() {
    assertThat(Collective.ALL_REDUCE.busFactor(8)).isEqualTo(1.75);
    assertThat(Collective.ALL_GATHER.busFactor(8)).isEqualTo(0.875);
    assertThat(Collective.REDUCE_SCATTER.busFactor(8)).isEqualTo(0.875);
    assertThat(Collective.ALL_TO_ALL.busFactor(8)).isEqualTo(0.875);
    assertThat(Collective.GATHER.busFactor(4)).isEqualTo(0.75);
    assertThat(Collective.SCATTER.busFactor(4)).isEqualTo(0.75);
    assertThat(Collective.BROADCAST.busFactor(8)).isOne();
    assertThat(Collective.REDUCE.busFactor(8)).isOne();
    assertThat(Collective.SEND_RECV.busFactor(8)).isOne();
    assertThat(Collective.HYPERCUBE.busFactor(8)).isOne();
    assertThat(Collective.ALL_REDUCE.busFactor(1)).isZero();
  }

  @Test
  void aGigabyteIsAThousandMillionBytes() {
    assertThat(Collective.ALL_REDUCE.algbw(1_000_000_000, 2, 0.5)).isEqualTo(2);
    assertThat(Collective.HYPERCUBE.algbw(1_000_000_000, 4, 0.5))
        .as("a rank's own part does not travel")
        .isEqualTo(1.5);
    assertThat(Collective.ALL_REDUCE.algbw(4, 2, 0)).isNaN();
  }

  @Test
  void everyUsualSpellingIsUnderstood() {
    assertThat(Collective.named("AllReduce")).contains(Collective.ALL_REDUCE);
    assertThat(Collective.named("all_reduce_perf")).contains(Collective.ALL_REDUCE);
    assertThat(Collective.named("allreduce")).contains(Collective.ALL_REDUCE);
    assertThat(Collective.named("reduce-scatter")).contains(Collective.REDUCE_SCATTER);
    assertThat(Collective.named("alltoall")).contains(Collective.ALL_TO_ALL);
    assertThat(Collective.named("sendrecv_perf")).contains(Collective.SEND_RECV);
    assertThat(Collective.named("bcast")).contains(Collective.BROADCAST);
    assertThat(Collective.named("dance")).isEmpty();
    for (Collective each : Collective.values()) {
      assertThat(Collective.named(each.word())).contains(each);
    }
  }

  @Test
  void theMedianRoundMakesTheBandwidth() {
    NetResult result =
        NetResult.of(
            Collective.ALL_REDUCE,
            "tcp",
            1_000_000,
            4,
            "float",
            Latency.of(0.001, 0.002, 0.004),
            0,
            0.002,
            0.001,
            0.009);
    assertThat(result.algbw()).isCloseTo(0.5, within(NOTHING));
    assertThat(result.busbw()).isCloseTo(0.75, within(NOTHING));
    assertThat(result.rounds()).hasSize(3).contains(0.75, 1.5);
    assertThat(result.figure()).isEqualTo(result.busbw());
    assertThat(result.latency().mean()).as("bandwidth is size over time").isEqualTo(0.002);
    assertThat(result.secondsOfRounds().get(2)).isCloseTo(0.009, within(1e-12));
    assertThat(result.interval().low()).isEqualTo(result.rounds().get(2));
    assertThat(result.interval().confidence()).isEqualTo(0.75);
  }

  /** As with NCCL on a machine with one GPU. */
  @Test
  void oneRankIsJudgedByWhatItGets() {
    NetResult result =
        NetResult.of(
            Collective.ALL_REDUCE,
            "nccl",
            1_000_000,
            1,
            "",
            Latency.of(0.001),
            0,
            0.002,
            0.001,
            0.004);
    assertThat(result.busbw()).isZero();
    assertThat(result.figure()).isEqualTo(result.algbw()).isCloseTo(0.5, within(NOTHING));
    assertThat(result.rounds()).containsExactly(0.5, 1.0, 0.25);
    assertThat(result.secondsOfRounds()).containsExactly(0.002, 0.001, 0.004);
    NetResult kept = NetResult.read(Fields.of("result", Json.object(Json.pretty(result.tree()))));
    assertThat(kept).isEqualTo(result);
  }

  @Test
  void roundsThatWereKeptAsNothingTellNothing() {
    String kept =
        """
        {"collective": "all_reduce", "bytes": 1000, "ranks": 1, "algbw": 2.0, "busbw": 0.0, "rounds": [0.0, 0.0]}
        """;
    NetResult result = NetResult.read(Fields.of("result", Json.object(kept)));
    assertThat(result.figures()).containsExactly(2.0);
  }

  @Test
  void messagesAreCountedWhereCallsAreMessages() {
    NetResult window =
        NetResult.of(Collective.BANDWIDTH, "", 1000, 2, "", Latency.of(1e-6), 0, 1e-6, 2e-6, 4e-6);
    assertThat(window.messageRate()).isCloseTo(500_000, within(1e-3));
    NetResult whole =
        NetResult.of(Collective.ALL_REDUCE, "", 1000, 2, "", Latency.of(1e-6), 0, 1e-6);
    assertThat(whole.messageRate()).isNaN();
  }

  @Test
  void spreadsheetsGetOneRowForEachResult() {
    NetResult two =
        NetResult.of(
            Collective.ALL_REDUCE,
            "a, \"b\"",
            1_000_000_000,
            2,
            "float",
            Latency.of(0.5),
            0,
            0.5,
            0.5);
    NetResult bare =
        new NetResult(
            Collective.SEND_RECV,
            "",
            1,
            2,
            "",
            0.25,
            0.25,
            Latency.UNKNOWN,
            List.of(),
            NetResult.NOT_CHECKED);
    assertThat(NetCsv.of(List.of(two, bare)).lines().skip(1))
        .containsExactly(
            "all_reduce,\"a, \"\"b\"\"\",float,2,1000000000,0.5,2.0,2.0,2.0,2.0,0.5,2,0.5,0.5,,0",
            "send_recv,,,2,1,,0.25,0.25,,,,1,,,2.5E8,");
  }

  @Test
  void whereOnlyTimeCountsItIsTheFigure() {
    NetResult barrier =
        NetResult.of(Collective.BARRIER, "", 0, 2, "", Latency.of(1e-5, 3e-5), 0, 1e-5, 3e-5, 2e-5);
    assertThat(barrier.figure()).isEqualTo(2e-5);
    assertThat(barrier.rounds()).containsExactly(1e-5, 3e-5, 2e-5);
    assertThat(barrier.busbw()).isNaN();
  }

  @Test
  void percentilesAreByNearestRank() {
    double[] hundred = new double[100];
    for (int i = 0; i < 100; i++) {
      hundred[i] = 100 - i;
    }
    Latency latency = Latency.of(hundred);
    assertThat(latency).isEqualTo(new Latency(50.5, 1, 50.5, 99, 100));
    assertThat(Latency.of()).isEqualTo(Latency.UNKNOWN);
  }

  @Test
  void aResultComesBackFromJsonAsItWas() {
    NetResult full =
        NetResult.of(
            Collective.ALL_TO_ALL, "tcp", 4096, 2, "bfloat16", Latency.of(1, 2), 0, 1.5, 1.25);
    NetResult bare =
        new NetResult(
            Collective.SEND_RECV,
            "",
            1,
            2,
            "",
            0.25,
            0.25,
            Latency.UNKNOWN,
            List.of(),
            NetResult.NOT_CHECKED);
    for (NetResult result : List.of(full, bare)) {
      String line = Json.line(result.tree());
      assertThat(NetResult.read(Fields.of("result", Json.object(line)))).isEqualTo(result);
    }
    assertThat(bare.figures()).containsExactly(0.25);
  }
}
