package dev.holdfast.core.forensics.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Map<Integer, String> NODES = Map.of(0, "a", 1, "a", 2, "b", 3, "b");

  private static Clue clue(
      Source source, List<Integer> ranks, String node, String kind, double sure) {
    return new Clue(
        source,
        ranks,
        node,
        -1,
        kind,
        sure,
        source.word() + " says so.",
        List.of("a line"),
        List.of(),
        "there");
  }

  @Test
  void sourcesThatAgreeSupportEachOther() {
    List<Conclusion> all =
        Verdict.of(
            List.of(
                clue(Source.FLIGHT, List.of(2), "", "hang", 0.9),
                clue(Source.STACKS, List.of(2), "", "hang", 0.8)),
            NODES);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().ranks()).containsExactly(2);
    assertThat(all.getFirst().confidence()).isEqualTo(0.98);
    assertThat(all.getFirst().sources()).containsExactly(Source.FLIGHT, Source.STACKS);
    assertThat(all.getFirst().evidence())
        .contains("flight recorder: a line", "stacks: stacks says so.");
  }

  @Test
  void oneSourceDoesNotSupportItself() {
    Conclusion best =
        Verdict.of(
                List.of(
                    clue(Source.FLIGHT, List.of(2), "", "hang", 0.7),
                    clue(Source.FLIGHT, List.of(2), "", "network", 0.6)),
                NODES)
            .getFirst();
    assertThat(best.confidence()).isEqualTo(0.7);
  }

  @Test
  void twoThatReadTheSameLinesCountOnce() {
    Conclusion best =
        Verdict.of(
                List.of(
                    clue(Source.LAUNCHER, List.of(2), "", "ecc", 0.9),
                    clue(Source.LOGS, List.of(2), "", "ecc", 0.8)),
                NODES)
            .getFirst();
    assertThat(best.confidence()).isEqualTo(0.9);
    assertThat(best.sources()).containsExactly(Source.LAUNCHER, Source.LOGS);
  }

  @Test
  void whoSaysWhatHappenedGivesTheClass() {
    Conclusion best =
        Verdict.of(
                List.of(
                    clue(Source.FLIGHT, List.of(2), "", "crash", 0.8),
                    clue(Source.LOGS, List.of(2), "", "ecc", 0.7)),
                NODES)
            .getFirst();
    assertThat(best.kind()).isEqualTo("ecc");
    assertThat(best.what()).isEqualTo("logs says so.");
  }

  @Test
  void aNodeAndTheRanksOnItAreTheSame() {
    List<Conclusion> all =
        Verdict.of(
            List.of(
                clue(Source.DEVICE, List.of(), "b", "lost-gpu", 0.7),
                clue(Source.FLIGHT, List.of(3), "", "crash", 0.8)),
            NODES);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().ranks()).containsExactly(3);
    assertThat(all.getFirst().node()).isEqualTo("b");
    assertThat(all.getFirst().kind()).isEqualTo("lost-gpu");
  }

  @Test
  void whoSuspectsSomebodyElseSpeaksAgainstIt() {
    List<Conclusion> all =
        Verdict.of(
            List.of(
                clue(Source.FLIGHT, List.of(2), "", "hang", 0.9),
                clue(Source.LOGS, List.of(0), "", "storage", 0.5)),
            NODES);
    assertThat(all).hasSize(2);
    assertThat(all.getFirst().ranks()).containsExactly(2);
    assertThat(all.getFirst().confidence()).isEqualTo(0.72);
    assertThat(all.getFirst().against()).containsExactly("logs: suspects rank 0 (storage, 50 %)");
  }

  @Test
  void ofRanksThatOneNamesTheFewerCount() {
    Conclusion best =
        Verdict.of(
                List.of(
                    clue(Source.LAUNCHER, List.of(1, 2), "", "hang", 0.6),
                    clue(Source.STACKS, List.of(2), "", "hang", 0.85)),
                NODES)
            .getFirst();
    assertThat(best.ranks()).containsExactly(2);
  }

  @Test
  void whoCannotTellBlamesNobody() {
    List<Conclusion> all =
        Verdict.of(List.of(clue(Source.FLIGHT, List.of(), "", "unknown", 0.2)), NODES);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().blames()).isFalse();
    assertThat(all.getFirst().confidence()).isEqualTo(0.2);
  }

  @Test
  void withoutAnythingSomethingIsMissing() {
    Conclusion best = Verdict.of(List.of(), Map.of()).getFirst();
    assertThat(best.blames()).isFalse();
    assertThat(best.missing()).isNotEmpty();
  }
}
