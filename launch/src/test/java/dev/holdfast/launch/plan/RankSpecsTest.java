package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.supervise.RankSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankSpecsTest {
  private static final Path SHIM = Path.of("/opt/holdfast/python/sitecustomize");

  private static List<RankSpec> ranks(Binding binding, Map<String, String> inherited) {
    return RankSpecs.of(Specs.of(binding, false, Map.of()), Specs.assignment(2), inherited, SHIM);
  }

  @Test
  void aRankFindsTheVariablesOfTorchrunLetterForLetter() {
    Map<String, String> variables = ranks(Binding.none(), Map.of()).get(1).environment();
    assertThat(variables)
        .containsEntry("LOCAL_RANK", "1")
        .containsEntry("RANK", "5")
        .containsEntry("GROUP_RANK", "1")
        .containsEntry("ROLE_RANK", "5")
        .containsEntry("ROLE_NAME", "default")
        .containsEntry("LOCAL_WORLD_SIZE", "2")
        .containsEntry("WORLD_SIZE", "6")
        .containsEntry("GROUP_WORLD_SIZE", "2")
        .containsEntry("ROLE_WORLD_SIZE", "6")
        .containsEntry("MASTER_ADDR", "n1")
        .containsEntry("MASTER_PORT", "29512")
        .containsEntry("TORCHELASTIC_RESTART_COUNT", "2")
        .containsEntry("TORCHELASTIC_MAX_RESTARTS", "3")
        .containsEntry("TORCHELASTIC_RUN_ID", "night")
        .containsEntry("TORCHELASTIC_USE_AGENT_STORE", "True")
        .containsEntry("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1")
        .containsEntry("TORCHELASTIC_ERROR_FILE", "/logs/night_n2/attempt_2/1/error.json")
        .containsEntry("OMP_NUM_THREADS", "1");
  }

  @Test
  void aRankLeavesEvidenceBehind() {
    Map<String, String> variables = ranks(Binding.none(), Map.of()).get(0).environment();
    assertThat(variables)
        .containsEntry("TORCH_NCCL_TRACE_BUFFER_SIZE", "2000")
        .containsEntry("TORCH_FR_BUFFER_SIZE", "2000")
        .containsEntry(
            "TORCH_NCCL_DEBUG_INFO_TEMP_FILE", "/logs/night_n2/attempt_2/0/nccl_trace_rank_")
        .containsEntry("TORCH_FR_DUMP_TEMP_FILE", "/logs/night_n2/attempt_2/0/nccl_trace_rank_")
        .containsEntry(
            "TORCH_NCCL_DEBUG_INFO_PIPE_FILE", "/logs/night_n2/attempt_2/0/nccl_trace_pipe_")
        .containsEntry("PYTHONFAULTHANDLER", "1")
        .containsEntry("PYTHONUNBUFFERED", "1")
        .containsEntry("HOLDFAST_JOB", "slurm-4711")
        .containsEntry("HOLDFAST_RANK", "4")
        .containsEntry("HOLDFAST_ATTEMPT", "2")
        .containsEntry("HOLDFAST_RUN_DIR", "/logs/night_n2")
        .containsEntry("HOLDFAST_BEAT_FILE", "/logs/night_n2/attempt_2/0/beats.jsonl")
        .containsEntry("HOLDFAST_STACK_FILE", "/logs/night_n2/attempt_2/0/stacks.txt")
        .containsEntry("HOLDFAST_CHECKPOINT_DIR", "/ckpt")
        .containsEntry("HOLDFAST_INJECT", "kill:rank=1")
        .containsEntry("PYTHONPATH", "/opt/holdfast/python/sitecustomize");
  }

  @Test
  void whatTheUserDecidedIsLeftAloneUnderEitherName() {
    Map<String, String> variables =
        ranks(
                Binding.none(),
                Map.of(
                    "TORCH_FR_BUFFER_SIZE", "0",
                    "TORCH_NCCL_DEBUG_INFO_TEMP_FILE", "/tmp/mine_",
                    "OMP_NUM_THREADS", "7",
                    "PYTHONPATH", "/home/me/lib",
                    "TORCH_NCCL_ASYNC_ERROR_HANDLING", "3"))
            .get(0)
            .environment();
    assertThat(variables)
        .doesNotContainKeys(
            "TORCH_FR_BUFFER_SIZE",
            "TORCH_NCCL_TRACE_BUFFER_SIZE",
            "TORCH_NCCL_DEBUG_INFO_TEMP_FILE",
            "TORCH_FR_DUMP_TEMP_FILE",
            "OMP_NUM_THREADS",
            "TORCH_NCCL_ASYNC_ERROR_HANDLING")
        .containsEntry("PYTHONPATH", "/opt/holdfast/python/sitecustomize:/home/me/lib");
  }

  @Test
  void aBoundRankKnowsItsPlace() {
    Binding.Place place =
        new Binding.Place(
            "0-3", "0", "0", "mlx5_0", Map.of("OMP_NUM_THREADS", "4", "NCCL_IB_HCA", "=mlx5_0"));
    List<RankSpec> ranks =
        ranks(new Binding("rail", List.of(place), List.of()), Map.of("NCCL_IB_HCA", "mine"));
    assertThat(ranks.get(0).cpus()).isEqualTo("0-3");
    assertThat(ranks.get(0).environment())
        .containsEntry("OMP_NUM_THREADS", "4")
        .containsEntry("HOLDFAST_CPUS", "0-3")
        .containsEntry("HOLDFAST_MEMORY", "0")
        .doesNotContainKey("NCCL_IB_HCA");
    assertThat(ranks.get(1).cpus()).isEmpty();
    assertThat(ranks.get(1).environment()).doesNotContainKey("HOLDFAST_CPUS");
  }

  @Test
  void aVirtualLocalRankSeesOneDevice() {
    List<RankSpec> ranks =
        RankSpecs.of(
            Specs.of(Binding.none(), true, Map.of()),
            Specs.assignment(0),
            Map.of("CUDA_VISIBLE_DEVICES", "4,6"),
            SHIM);
    assertThat(ranks.get(1).environment())
        .containsEntry("LOCAL_RANK", "0")
        .containsEntry("CUDA_VISIBLE_DEVICES", "6");
    assertThat(ranks.get(1).folder()).endsWith("/attempt_0/1");
  }

  @Test
  void outputGoesWhereItWasAsked() {
    List<RankSpec> ranks = ranks(Binding.none(), Map.of());
    assertThat(ranks).extracting(RankSpec::rank).containsExactly(4, 5);
    assertThat(ranks).extracting(RankSpec::keep).containsExactly(3, 3);
    assertThat(ranks).extracting(RankSpec::show).containsExactly(0, 3);
    assertThat(ranks.get(1).prefix()).isEqualTo("[default1/5]:");
    assertThat(ranks.get(0).folder()).isEqualTo("/logs/night_n2/attempt_2/0");
    assertThat(ranks.get(0).command()).containsExactly("python3", "-u", "train.py");
  }

  @Test
  void aNodeLeftOutStartsNothing() {
    var others = Specs.assignment(0).members().subList(0, 1);
    assertThat(
            RankSpecs.of(
                Specs.of(Binding.none(), false, Map.of()),
                new dev.holdfast.launch.job.Assignment("slurm-4711", 0, 0, others, "n1", 29500),
                Map.of(),
                SHIM))
        .isEmpty();
  }
}
