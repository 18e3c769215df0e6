package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.RankSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandbySpecsTest {
  private static final JobSpec SPEC = Specs.of(Binding.none(), false, Map.of("MINE", "1"));

  private static RankSpec rank(Assignment assignment, int local) {
    return RankSpecs.of(SPEC, assignment, Map.of("HOME", "/root"), Path.of("/shim")).get(local);
  }

  private static Order.Prepare standby(Assignment assignment, int local) {
    return StandbySpecs.of(
        SPEC, assignment, rank(assignment, local), Path.of("/learned"), List.of("lightning"));
  }

  @Test
  void aStandbyHasNothingOfAnAttempt() {
    Order.Prepare order = standby(Specs.assignment(2), 1);
    assertThat(order.spec().environment())
        .containsKeys("PYTHONPATH", "MINE", "OMP_NUM_THREADS", "HOLDFAST_JOB")
        .doesNotContainKeys("RANK", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "HOLDFAST_BEAT_FILE");
    assertThat(order.spec().environment().values()).noneMatch(it -> it.contains("attempt_2"));
    assertThat(order.without())
        .contains("RANK", "LOCAL_RANK", "MASTER_ADDR", "TORCHELASTIC_RESTART_COUNT")
        .contains("HOLDFAST_STACK_FILE", "HOLDFAST_LEARN", "TORCH_FR_DUMP_TEMP_FILE");
  }

  @Test
  void itIsToldWhatToImportAndWhatToWatch() {
    Order.Prepare order = standby(Specs.assignment(2), 1);
    String setting = order.spec().environment().getOrDefault("HOLDFAST_STANDBY", "");
    Fields fields = Fields.of("standby", Json.object(setting));
    assertThat(fields.text("modules")).isEqualTo("/learned");
    assertThat(fields.texts("names")).isEqualTo(order.without());
    assertThat(fields.texts("leave")).containsExactly("lightning");
  }

  /** What it saw must hold in every attempt, or it would never be used. */
  @Test
  void whatItStartsWithIsThatOfTheRankInAnyAttempt() {
    Assignment other =
        new Assignment(
            "slurm-4711",
            7,
            3,
            List.of(
                new Member("n2", 1, "10.0.0.2", 29400, 2, 1),
                new Member("n9", 1, "10.0.0.9", 29400, 4, 0)),
            "n9",
            29700);
    for (int local = 0; local < 2; local++) {
      Order.Prepare order = standby(Specs.assignment(2), local);
      Map<String, String> lasting = new HashMap<>(order.spec().environment());
      lasting.remove("HOLDFAST_STANDBY");
      Map<String, String> later = rank(other, local).environment();
      assertThat(later).containsAllEntriesOf(lasting);
      Map<String, String> rest = new HashMap<>(later);
      rest.keySet().removeAll(lasting.keySet());
      assertThat(order.without()).containsAll(rest.keySet());
    }
  }

  @Test
  void onlyTheFirstRankOfANodeLearns() {
    assertThat(rank(Specs.assignment(2), 0).environment())
        .containsEntry("HOLDFAST_LEARN", "/logs/night_n2/attempt_2/0/modules.txt");
    assertThat(rank(Specs.assignment(2), 1).environment()).doesNotContainKey("HOLDFAST_LEARN");
  }
}
