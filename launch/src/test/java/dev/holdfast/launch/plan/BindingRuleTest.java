package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.topology.GpuChoice;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class BindingRuleTest {
  private static Topology machine(String name) throws IOException {
    return TopologyReader.read(
        Files.readString(Golden.root().resolve("fixtures/topologies").resolve(name)));
  }

  @Test
  void railGivesEachRankItsGpuWithCoresAndAdapter() throws IOException {
    Binding binding = BindingRule.of("rail", machine("eight-gpus.txt"), 8);
    assertThat(binding.policy()).isEqualTo("rail");
    assertThat(binding.places())
        .extracting(Binding.Place::devices)
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
    assertThat(binding.places())
        .extracting(Binding.Place::adapters)
        .doesNotHaveDuplicates()
        .doesNotContain("");
    assertThat(binding.place(0).cpus()).isNotEmpty();
    assertThat(binding.place(0).environment())
        .containsKeys("OMP_NUM_THREADS", "NCCL_IB_HCA")
        .doesNotContainKeys("LOCAL_RANK", "LOCAL_WORLD_SIZE");
  }

  @Test
  void numaBindsCoresAndHidesNoDevice() throws IOException {
    Binding binding = BindingRule.of("numa", machine("eight-gpus.txt"), 8);
    assertThat(binding.policy()).isEqualTo("numa");
    assertThat(binding.places()).extracting(Binding.Place::cpus).doesNotContain("");
    assertThat(binding.place(0).environment()).containsOnlyKeys("OMP_NUM_THREADS");
    // Rank i will use GPU i, so it is placed where GPU i is.
    assertThat(binding.places())
        .extracting(Binding.Place::devices)
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
  }

  @Test
  void aMachineWithoutGpusIsNotBoundByRails() throws IOException {
    Binding binding = BindingRule.of("rail", GpuChoice.keep(machine("two-sockets.xml"), "-1"), 2);
    assertThat(binding.policy()).isEqualTo("none");
    assertThat(binding.places()).isEmpty();
    assertThat(binding.notes().getFirst())
        .startsWith("ranks are not bound: the rail policy goes by GPUs");
    assertThat(BindingRule.of("numa", machine("two-sockets.xml"), 2).places())
        .extracting(Binding.Place::memory)
        .containsExactly("0", "1");
  }
}
