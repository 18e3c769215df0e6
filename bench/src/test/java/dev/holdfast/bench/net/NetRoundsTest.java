package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.ledger.CardBytes;
import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.core.network.Collective;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rounds are made again, and which count. */
class NetRoundsTest {
  private static final Operation OPERATION =
      Operation.of(Collective.ALL_REDUCE, 1024, Element.FLOAT, 0, 2);

  private static final NetPlan PLAN =
      new NetPlan(List.of(OPERATION), 2, Transport.TCP, 1, 5, 1, true, 3, true, 30);

  /** A round in which others used so many cores. */
  private static NetRound round(double others, double seconds) {
    NetRound round = new NetRound(PLAN, true);
    round.measured(OPERATION, new double[] {1 + others});
    round.complete(seconds, new Load(0, 0, others, 0));
    return round;
  }

  private static List<Double> kept(NetRounds rounds) {
    return rounds.kept().stream().map(it -> it.calls(OPERATION)[0] - 1).toList();
  }

  @Test
  void quietRoundsAreNotRepeated() {
    NetRounds rounds = new NetRounds(3, true);
    for (int i = 0; i < 3; i++) {
      assertThat(rounds.more()).isTrue();
      rounds.add(round(0, 5));
    }
    assertThat(rounds.more()).isFalse();
    assertThat(rounds.notes()).isEmpty();
    assertThat(rounds.load()).hasSize(1);
  }

  @Test
  void aNoisyRoundIsMadeAgainAndLeftOutAndItIsSaid() {
    NetRounds rounds = new NetRounds(3, true);
    rounds.add(round(0, 5));
    rounds.add(round(1.5, 5));
    rounds.add(round(0, 5));
    assertThat(rounds.more()).isTrue();
    rounds.add(round(0.05, 5));
    assertThat(rounds.more()).isFalse();
    assertThat(kept(rounds)).hasSize(3).noneMatch(it -> it > 1);
    assertThat(rounds.load().getFirst().noisy()).isFalse();
    assertThat(rounds.notes().getFirst())
        .isEqualTo(
            "1 of 4 rounds was noisy (others used up to 1.5 cores); 1 was measured again; only"
                + " quiet ones count");
  }

  @Test
  void aMachineThatIsNeverQuietEndsAfterTwiceAsManyAndTheQuietestCount() {
    NetRounds rounds = new NetRounds(2, true);
    double[] others = {1.5, 0.75, 1.25, 0.5};
    int made = 0;
    while (rounds.more()) {
      rounds.add(round(others[made++], 5));
    }
    assertThat(made).isEqualTo(4);
    assertThat(kept(rounds)).containsExactly(0.75, 0.5);
    assertThat(rounds.notes().getFirst())
        .contains("4 of 4 rounds were noisy", "2 were measured again", "2 noisy ones count");
    assertThat(rounds.load().getFirst().others()).isEqualTo(0.75);
  }

  @Test
  void nothingIsMadeAgainWhenNobodyWantsIt() {
    NetRounds rounds = new NetRounds(1, false);
    rounds.add(round(1.5, 5));
    assertThat(rounds.more()).isFalse();
    assertThat(rounds.notes().getFirst())
        .isEqualTo("1 of 1 round was noisy (others used up to 1.5 cores); none was measured again");
  }

  @Test
  void shortRoundsCannotBeJudgedByTheKernelsTicks() {
    NetRounds rounds = new NetRounds(1, true);
    rounds.add(round(1.5, 0.2));
    assertThat(rounds.more()).isFalse();
    assertThat(rounds.load()).isEmpty();
  }

  @Test
  void aRoundCutShortCountsOnlyWhereThereIsNoOther() {
    NetRounds rounds = new NetRounds(2, true);
    NetRound cut = new NetRound(PLAN, true);
    cut.measured(OPERATION, new double[] {9});
    rounds.add(round(0, 5));
    rounds.add(cut);
    assertThat(kept(rounds)).containsExactly(0.0, 8.0);
    rounds.add(round(0, 5));
    assertThat(kept(rounds)).containsExactly(0.0, 0.0);
  }

  private static LoadSample sample(String machine, double seconds, double busy, double own) {
    return sample(machine, seconds, busy, own, CardBytes.UNKNOWN);
  }

  private static LoadSample sample(
      String machine, double seconds, double busy, double own, CardBytes wire) {
    return new LoadSample(machine, seconds, 0, busy, 0, own, 8, Map.of(), wire);
  }

  @Test
  void onOtherHostsTheBusiestOfThemCountsAndNotThisMachine() {
    NetRound round = new NetRound(PLAN, false);
    round.began(List.of(sample("a", 10, 100, 1), sample("b", 500, 7, 2), sample("b", 500, 7, 3)));
    round.ended(
        List.of(sample("a", 20, 110, 11), sample("b", 510, 30, 12), sample("b", 510, 30, 13)));
    round.complete();
    assertThat(round.load().getFirst().others()).as("3 s of b in 10 s").isEqualTo(0.3);
    assertThat(round.quiet()).isFalse();
  }

  @Test
  void whatCameOverACardAndWasForNoneOfItsRanksIsOfOthers() {
    NetRound round = new NetRound(PLAN, false);
    long gigabyte = 1_000_000_000;
    round.began(
        List.of(
            sample("a", 0, 0, 0, new CardBytes("eth0", 5, 0, 0)),
            sample("a", 0, 0, 0, new CardBytes("eth0", 5, 0, 0)),
            sample("b", 0, 0, 0, new CardBytes("ib0", 7, 0, 0))));
    round.ended(
        List.of(
            sample("a", 10, 0, 0, new CardBytes("eth0", 3 * gigabyte + 5, gigabyte, 0)),
            sample("a", 10, 0, 0, new CardBytes("eth0", 3 * gigabyte + 5, gigabyte, 0)),
            // Answers to what it sends, and headers, are ours.
            sample("b", 10, 0, 0, new CardBytes("ib0", gigabyte / 50 + 7, 0, gigabyte))));
    round.complete();
    assertThat(round.load().getFirst().foreign())
        .as("3 GB came in 10 s, 2 of them and their headers were ours")
        .isEqualTo(88_000_000);
    assertThat(round.quiet()).isFalse();
  }

  @Test
  void whereNobodyCountsACardNothingIsSaidOfIt() {
    NetRound round = new NetRound(PLAN, false);
    round.began(List.of(sample("a", 10, 100, 0)));
    round.ended(List.of(sample("a", 20, 100, 0)));
    round.complete();
    assertThat(round.load().getFirst().foreign()).isEqualTo(Load.NOT_COUNTED);
  }

  @Test
  void ranksInContainersOfOneMachineAreNotEachOthersNoise() {
    NetRound round = new NetRound(PLAN, false);
    round.began(List.of(sample("a", 10, 100, 0), sample("a", 10, 100, 0)));
    round.ended(List.of(sample("a", 20, 120, 10), sample("a", 20, 120, 10)));
    round.complete();
    assertThat(round.quiet()).isTrue();
  }

  @Test
  void ourOwnTrafficIsCountedWithItsHeaders() {
    Operation large = Operation.of(Collective.ALL_REDUCE, 1 << 20, Element.FLOAT, 0, 2);
    // Both ranks send each half once and get it back.
    assertThat(OwnTraffic.ofCall(large)).isBetween(2.0 * (1 << 20), 2.2 * (1 << 20));
    assertThat(OwnTraffic.ofCall(large.inPieces(3))).isEqualTo(3 * OwnTraffic.ofCall(large));
    OwnTraffic shared = new OwnTraffic(false);
    shared.add(large, 10);
    assertThat(shared.bytes()).isEqualTo(Load.NOT_COUNTED);
    OwnTraffic own = new OwnTraffic(true);
    own.add(large, 10);
    assertThat(own.bytes()).isBetween(20L << 20, 23L << 20);
  }
}
