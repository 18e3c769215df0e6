package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which GPUs a list such as CUDA_VISIBLE_DEVICES leaves. */
class GpuChoiceTest {
  private static final Topology FOUR =
      TopologyReader.read(
          """
          GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity
          GPU0 X NV18 NV18 NV18 0-7 0
          GPU1 NV18 X NV18 NV18 0-7 0
          GPU2 NV18 NV18 X NV18 0-7 0
          GPU3 NV18 NV18 NV18 X 0-7 0
          """);

  @ParameterizedTest
  @CsvSource({
    "'0,1,2,3', '0,1,2,3'",
    "'2, 1', '1,2'",
    "'3,3', '3'",
    "'0,-1,2', '0'",
    "'1,9,2', '1'",
    "'-1', ''",
    "'', ''",
    "'MIG-4f3e', ''",
  })
  void aWordThatMeansNoGpuEndsTheList(String list, String left) {
    assertThat(
            String.join(",", GpuChoice.keep(FOUR, list).gpus().stream().map(Device::id).toList()))
        .isEqualTo(left);
  }
}
