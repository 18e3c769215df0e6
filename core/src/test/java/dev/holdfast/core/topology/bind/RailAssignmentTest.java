package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.topology.Link;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The matching against trying everything, and its order where all is alike. */
class RailAssignmentTest {
  private static final Link[] LINKS = {Link.PIX, Link.PXB, Link.PHB, Link.NODE, Link.SYS};

  @Test
  void totalCostIsThatOfTryingEverything() {
    Random random = new Random(20_261_115);
    for (int round = 0; round < 2_000; round++) {
      int gpus = 1 + random.nextInt(6);
      int nics = 1 + random.nextInt(5);
      int limit = RailPairs.share(gpus, nics);
      Link[][] links = new Link[gpus][nics];
      for (Link[] row : links) {
        Arrays.setAll(row, _ -> LINKS[random.nextInt(LINKS.length)]);
      }
      int[] answer = RailAssignment.solve(links, new int[nics], limit);
      int[] loads = new int[nics];
      int cost = 0;
      for (int gpu = 0; gpu < gpus; gpu++) {
        loads[answer[gpu]]++;
        cost += RailAssignment.weight(links[gpu][answer[gpu]]);
      }
      assertThat(Arrays.stream(loads).max().orElse(0)).isLessThanOrEqualTo(limit);
      assertThat(cost).as("round %d", round).isEqualTo(best(links, new int[nics], limit, 0));
    }
  }

  private static int best(Link[][] links, int[] loads, int limit, int gpu) {
    if (gpu == links.length) {
      return 0;
    }
    int best = Integer.MAX_VALUE;
    for (int nic = 0; nic < loads.length; nic++) {
      if (loads[nic] < limit) {
        loads[nic]++;
        int rest = best(links, loads, limit, gpu + 1);
        best = Math.min(best, RailAssignment.weight(links[gpu][nic]) + rest);
        loads[nic]--;
      }
    }
    return best;
  }

  @Test
  void whereAllIsAlikeOrderIsKeptAndLoadIsEven() {
    assertThat(alike(8, 8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(alike(8, 4)).containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    assertThat(alike(2, 4)).containsExactly(0, 1);
    assertThat(alike(2, 3)).containsExactly(0, 1);
    assertThat(alike(4, 512)).containsExactly(0, 1, 2, 3);
    assertThat(alike(6, 4)).isSorted().contains(0, 1, 2, 3);
    assertThat(alike(128, 128)).isSorted().doesNotHaveDuplicates();
  }

  private static int[] alike(int gpus, int nics) {
    Link[][] links = new Link[gpus][nics];
    for (Link[] row : links) {
      Arrays.fill(row, Link.PHB);
    }
    return RailAssignment.solve(links, new int[nics], RailPairs.share(gpus, nics));
  }

  @Test
  void twoMiddlingLinksAreBetterThanANearAndAFarOne() {
    Link[][] links = {{Link.PIX, Link.NODE}, {Link.NODE, Link.SYS}};
    assertThat(RailAssignment.solve(links, new int[2], 1)).containsExactly(1, 0);
  }

  @Test
  void absurdSizesAreRefused() {
    Link[][] links = new Link[RailAssignment.MAX_GPUS + 1][1];
    assertThatThrownBy(() -> RailAssignment.solve(links, new int[1], 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("129 GPUs");
  }
}
