package dev.holdfast.core.forensics.flight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Calls made as one, as PyTorch 2.11 with NCCL 2.28.9 recorded them: four ranks on one H200, each
 * with a spinning kernel or a sleep planted in one rank. Retyped, shortened.
 */
class BatchesTest {
  private static Dumps four() {
    return new Dumps().group("0", "default_pg", "0, 1, 2, 3");
  }

  /** The end of a batch of collectives stays scheduled for ever; the call before it has ended. */
  @Test
  void collectivesOfABatchEndTogether() {
    Dumps dumps = four();
    for (int rank : new int[] {0, 1, 3}) {
      dumps
          .status("0 8 5")
          .rank(
              rank,
              0,
              "0 4 0 all_reduce_barrier completed",
              "0 5 0 all_gather_into_tensor_coalesced completed",
              "0 5 0 coalesced scheduled",
              "0 6 0 all_reduce scheduled");
    }
    dumps
        .status("0 8 4")
        .rank(
            2,
            0,
            "0 4 0 all_reduce_barrier completed",
            "0 5 0 all_gather_into_tensor_coalesced scheduled",
            "0 5 0 coalesced scheduled",
            "0 6 0 all_reduce scheduled");
    Hypothesis best = dumps.written(2, 60).best();
    assertThat(best.culprits()).as(best.toString()).containsExactly(2);
    assertThat(best.cause()).isEqualTo(Cause.DEVICE_HANG);
  }

  /** Before, and of those that run now: the calls stay scheduled, and the end is marked. */
  @Test
  void theEndOfABatchEndsItsCalls() {
    Dumps dumps = four();
    for (int rank : new int[] {0, 1, 3}) {
      dumps.rank(
          rank,
          0,
          "0 4 0 allreduce scheduled",
          "0 4 0 allreduce scheduled",
          "0 4 0 coalesced completed");
    }
    dumps.rank(
        2,
        0,
        "0 4 0 allreduce scheduled",
        "0 4 0 allreduce scheduled",
        "0 4 0 coalesced scheduled");
    assertThat(dumps.written(2, 60).best().culprits()).containsExactly(2);
  }

  private static String[] ring(int rank, int open, int calls) {
    String[] entries = new String[3 * calls];
    for (int i = 0; i < calls; i++) {
      String number = "0 4 " + (i + 4);
      entries[3 * i] = number + " send:" + rank + "->" + (rank + 1) % 4 + " scheduled";
      entries[3 * i + 1] = number + " recv:" + rank + "<-" + (rank + 3) % 4 + " scheduled";
      entries[3 * i + 2] = number + " coalesced " + (i < open ? "completed" : "scheduled");
    }
    return entries;
  }

  /** Rank 1 sleeps before its second batch; 2 waits for it, 3 for 2, and 0 has all it needs. */
  @Test
  void aRankThatDoesNotComeToABatchIsFound() {
    Hypothesis best =
        four()
            .rank(0, 0, ring(0, 3, 3))
            .rank(1, 0, ring(1, 1, 1))
            .rank(2, 0, ring(2, 1, 3))
            .rank(3, 0, ring(3, 2, 3))
            .best();
    assertThat(best.culprits()).as(best.toString()).containsExactly(1);
    assertThat(best.cause()).isEqualTo(Cause.HANG);
  }

  @Test
  void whereTheBeginningIsLostNobodyIsNamed() {
    Hypothesis best =
        four()
            .rank(0, 90, ring(0, 3, 3))
            .rank(1, 90, ring(1, 1, 1))
            .rank(2, 90, ring(2, 1, 3))
            .rank(3, 90, ring(3, 2, 3))
            .best();
    assertThat(best.culprits()).as(best.toString()).isEmpty();
    assertThat(best.what()).contains("Ranks 2-3 wait in several transfers");
    assertThat(best.missing()).isNotEmpty();
  }

  @Test
  void theEndThatADumpOfActiveCallsLeavesOutWasAnEnd() {
    Hypothesis best =
        new Dumps()
            .group("0", "default_pg", "0, 1")
            .rank(0, 0, "0 4 8 send:0->1 scheduled", "0 4 8 recv:0<-1 scheduled")
            .rank(1, 0, "0 4 8 send:1->0 scheduled", "0 4 8 recv:1<-0 scheduled")
            .best();
    assertThat(best.what())
        .isEqualTo("No rank waits for another one, and none comes last again and again.");
  }
}
