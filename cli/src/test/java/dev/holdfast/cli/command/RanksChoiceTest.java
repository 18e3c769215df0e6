package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How many ranks there are, and where. */
class RanksChoiceTest {
  private static final Map<String, String> JOB =
      Map.of("SLURM_JOB_NODELIST", "gpu[1-3]", "SLURM_TASKS_PER_NODE", "8(x3)");

  /** A command that has nothing but ranks. */
  @Command(name = "ranks")
  private static final class Given {
    @Mixin private RanksChoice ranks = new RanksChoice(JOB);
  }

  private static RanksChoice given(String... words) {
    Given given = new Given();
    new CommandLine(given).parseArgs(words);
    return given.ranks;
  }

  @Test
  void aNodeOfSlurmHasOneRankForPairsWhateverItsTasks() {
    assertThat(given("--slurm").placeForEachCard(null).hosts())
        .containsExactly("gpu1", "gpu2", "gpu3");
    assertThat(given("--slurm", "--interface", "ib0").placeForEachCard(null).hosts())
        .containsExactly("gpu1", "gpu2", "gpu3");
    assertThat(given("--slurm").placeForEachCard(2).hosts()).containsExactly("gpu1", "gpu2");
    assertThat(given("--slurm", "--interface", "ib0,ib1").placeForEachCard(null).hosts())
        .containsExactly("gpu1", "gpu1", "gpu2", "gpu2", "gpu3", "gpu3");
    assertThatThrownBy(() -> given("--slurm").placeForEachCard(4))
        .hasMessageContaining("--ranks 4, but pairs have 1 on each of 3 nodes");
  }

  @Test
  void slotsThatSomebodyWroteCountForPairsToo() {
    assertThat(given("--hosts", "n1:2,n2").placeForEachCard(null).hosts())
        .containsExactly("n1", "n1", "n2");
    assertThatThrownBy(
            () -> given("--slurm", "--rdzv", "n1:29400", "--nnodes", "2").placeForEachCard(null))
        .hasMessageContaining("not both");
  }

  @Test
  void collectivesHaveARankForEachTaskOfSlurm() {
    assertThat(given("--slurm").place(null, 2, false).ranks()).isEqualTo(24);
  }
}
