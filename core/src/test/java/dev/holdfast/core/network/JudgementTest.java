package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.error.HoldfastException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What good is, and which limit explains what is not. */
class JudgementTest {
  private static final Expectation H100 = Expectation.named("h100-ndr400").orElseThrow();
  private static final Expectation B200 = Expectation.named("b200-ndr400").orElseThrow();

  private static NetResult result(Collective collective, int ranks, double busbw) {
    double algbw = busbw / collective.busFactor(ranks);
    long bytes = 1L << 34;
    return new NetResult(
        collective,
        "",
        bytes,
        ranks,
        "float",
        algbw,
        busbw,
        Latency.ofMean(bytes / algbw / 1e9),
        List.of(),
        NetResult.NOT_CHECKED);
  }

  private static Judgement judged(
      Collective collective, int ranks, int nodes, double busbw, Expectation expected) {
    List<Judgement> all = Judgement.of(List.of(result(collective, ranks, busbw)), expected, nodes);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void everyEntryOfTheCatalogueHasASource() {
    assertThat(Expectation.all()).hasSizeGreaterThan(8).allMatch(it -> !it.source().isBlank());
    assertThat(Expectation.all()).extracting(Expectation::name).doesNotHaveDuplicates();
    assertThat(H100.line()).isEqualTo(50);
  }

  @Test
  void insideANodeTheFloorIsThePublishedOne() {
    assertThat(judged(Collective.ALL_REDUCE, 8, 1, 475, H100).good()).isTrue();
    Judgement low = judged(Collective.ALL_REDUCE, 8, 1, 400, H100);
    assertThat(low.good()).isFalse();
    assertThat(low.floor()).isEqualTo(460);
  }

  @Test
  void nvlinkThatIsNotUsedLooksLikePcie() {
    assertThat(judged(Collective.ALL_REDUCE, 8, 1, 40, H100).limit()).isEqualTo(Limit.PCIE);
    assertThat(judged(Collective.ALL_REDUCE, 8, 1, 6, H100).limit()).isEqualTo(Limit.SOCKETS);
    assertThat(judged(Collective.ALL_REDUCE, 8, 1, 200, H100).limit()).isEqualTo(Limit.NUMA);
  }

  @Test
  void overNodesAPartOfTheTrafficStaysInside() {
    // 381.80 GB/s over four nodes were measured with each adapter at 36.95 of its 50 GB/s.
    Judgement judgement = judged(Collective.ALL_REDUCE, 32, 4, 381.80, B200);
    assertThat(judgement.top()).isCloseTo(50.0 * 31 / 3, within(1e-9));
    assertThat(judgement.good()).isTrue();
    assertThat(judgement.limit()).isEqualTo(Limit.NIC);
    assertThat(judgement.why()).startsWith("74 %");
  }

  @Test
  void overTwoNodesNvlinkIsTheLowerLimit() {
    Judgement judgement = judged(Collective.ALL_REDUCE, 16, 2, 360, H100);
    assertThat(judgement.top()).isEqualTo(450);
    assertThat(judgement.limit()).isEqualTo(Limit.SCALE_UP);
    assertThat(judgement.good()).isTrue();
  }

  @Test
  void oneAdapterOfEightOrSocketsAreSeen() {
    // Each GB/s of bus bandwidth puts 8·(8-1)/(64-1) on the adapters of a node.
    double wire = 8 * 7 / 63.0;
    assertThat(judged(Collective.ALL_REDUCE, 64, 8, 45 / wire, H100).limit())
        .isEqualTo(Limit.FEWER_NICS);
    assertThat(judged(Collective.ALL_REDUCE, 64, 8, 9 / wire, H100).limit())
        .isEqualTo(Limit.SOCKETS);
    assertThat(judged(Collective.ALL_REDUCE, 64, 8, 8 * 29 / wire, H100).limit())
        .isEqualTo(Limit.PCIE);
  }

  @Test
  void exchangesLoadTheAdaptersMost() {
    Judgement judgement = judged(Collective.ALL_TO_ALL, 64, 8, 44, H100);
    assertThat(judgement.top()).isCloseTo(50.0 * 63 / 56, within(1e-9));
    assertThat(judgement.good()).isTrue();
  }

  @Test
  void aStreamIsComparedWithTheLine() {
    assertThat(judged(Collective.BANDWIDTH, 2, 2, 48, H100).good()).isTrue();
    assertThat(judged(Collective.BIDIRECTIONAL, 2, 2, 96, H100).good()).isTrue();
    Judgement slow = judged(Collective.BANDWIDTH, 2, 2, 24.4, H100);
    assertThat(slow.good()).isFalse();
    assertThat(slow.limit()).isEqualTo(Limit.LOWER_RATE);
    assertThat(judged(Collective.BANDWIDTH, 2, 2, 2.7, H100).limit()).isEqualTo(Limit.SOCKETS);
    assertThat(judged(Collective.BANDWIDTH, 2, 2, 36, H100).limit()).isEqualTo(Limit.NUMA);
  }

  @Test
  void sizesTooSmallAreNotHeldAgainstTheNetwork() {
    double[] seconds = {50e-6 + (1 << 20) / 400e9, 50e-6 + (1 << 21) / 400e9};
    List<NetResult> small =
        List.of(
            NetResult.of(
                Collective.ALL_REDUCE, "", 1 << 20, 8, "", Latency.of(seconds[0]), -1, seconds[0]),
            NetResult.of(
                Collective.ALL_REDUCE, "", 1 << 21, 8, "", Latency.of(seconds[1]), -1, seconds[1]));
    Judgement judgement = Judgement.of(small, H100, 1).getFirst();
    assertThat(judgement.good()).isFalse();
    assertThat(judgement.limit()).isEqualTo(Limit.CALL_COST);
    assertThat(judgement.words()).contains("too little", "of the time is spent per call");
  }

  @Test
  void whatIsNotKnownIsNotJudged() {
    Expectation line = Expectation.named("eth100").orElseThrow();
    assertThat(Judgement.of(List.of(result(Collective.ALL_REDUCE, 8, 10)), line, 1)).isEmpty();
    assertThat(judged(Collective.ALL_REDUCE, 4, 4, 11, line).good()).isTrue();
  }

  @Test
  void aSiteHasItsOwn() {
    Expectation own =
        Expectation.read("site.yaml", "name: lab\ngpus: 4\nnics: 2\nnicGbps: 100\nscaleUp: 300\n");
    assertThat(own.line()).isEqualTo(12.5);
    assertThat(own.pcie()).isNaN();
    assertThatThrownBy(() -> Expectation.read("site.yaml", "nics: 2\n"))
        .hasMessageContaining("nicGbps");
    assertThatThrownBy(() -> Expectation.read("site.yaml", "nicGbps: 1\nnic: 2\n"))
        .isInstanceOf(HoldfastException.class);
  }
}
