package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who is cut off, by who reaches whom. */
class ReachTest {
  private static String said(Reach reach) {
    return String.valueOf(
        Objects.requireNonNull(reach.verdict(rank -> "rank " + rank)).getMessage());
  }

  @Test
  void whoeverMostCannotReachIsCutOff() {
    Reach reach = new Reach(4);
    reach.add(0, 2, "no route");
    reach.add(2, 1, "no route");
    reach.add(3, 2, "no route");
    assertThat(said(reach)).isEqualTo("rank 2 is cut off from all others: no route");
    Reach some = new Reach(5);
    some.add(4, 1, "it does not answer");
    some.add(0, 4, "it does not answer");
    assertThat(said(some)).isEqualTo("rank 4 is cut off from 2 of 4 others: it does not answer");
  }

  @Test
  void twoThatReachAllOthersAreCutOffFromEachOther() {
    Reach reach = new Reach(4);
    reach.add(3, 1, "no route");
    assertThat(said(reach)).isEqualTo("rank 1 and rank 3 are cut off from each other: no route");
    assertThat(new Reach(3).verdict(rank -> "rank " + rank)).isNull();
  }
}
