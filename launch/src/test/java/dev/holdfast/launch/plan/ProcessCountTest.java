package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessCountTest {
  private static final List<String> FOUR =
      List.of("null", "nvidia0", "nvidia1", "nvidia2", "nvidia3", "nvidiactl", "nvidia-uvm");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none set    | 4",
        "0,2        | 2",
        "''         | 0",
        "-1         | 0",
        "1,-1,2     | 1",
        "GPU-3a,GPU-7b | 2",
        "0,1,2,3,4,5 | 4",
        "all        | 4",
      })
  void countsTheGpusThatRanksWillSee(String visible, int expected) {
    Map<String, String> environment =
        visible.equals("none set") ? Map.of() : Map.of("CUDA_VISIBLE_DEVICES", visible);
    assertThat(new ProcessCount(FOUR, 64, environment).gpus()).isEqualTo(expected);
  }

  @Test
  void knowsOtherAcceleratorsByTheirFiles() {
    List<String> ascend = List.of("davinci0", "davinci1", "davinci_manager");
    assertThat(new ProcessCount(ascend, 1, Map.of()).gpus()).isEqualTo(2);
    assertThat(new ProcessCount(ascend, 1, Map.of("ASCEND_RT_VISIBLE_DEVICES", "1")).gpus())
        .isEqualTo(1);
    List<String> amd = List.of("kfd", "dri/renderD128", "dri/renderD129", "dri/card0");
    assertThat(new ProcessCount(amd, 1, Map.of()).gpus()).isEqualTo(2);
    assertThat(new ProcessCount(List.of("dri/renderD128"), 1, Map.of()).gpus()).isZero();
  }

  @Test
  void readsWordsAndNumbers() {
    ProcessCount here = new ProcessCount(FOUR, 64, Map.of());
    ProcessCount bare = new ProcessCount(List.of("null"), 6, Map.of());
    assertThat(here.of("auto")).isEqualTo(4);
    assertThat(here.of("gpu")).isEqualTo(4);
    assertThat(here.of("cpu")).isEqualTo(64);
    assertThat(here.of("2")).isEqualTo(2);
    assertThat(bare.of("auto")).isEqualTo(6);
    assertThatThrownBy(() -> bare.of("gpu"))
        .hasMessage(
            "'gpu', but no GPU is visible here (/dev/nvidia0 and so on; CUDA_VISIBLE_DEVICES)");
    assertThatThrownBy(() -> bare.of("many"))
        .hasMessage("'many' is neither a number nor auto, gpu or cpu");
    assertThatThrownBy(() -> bare.of("0")).hasMessage("'0' is no number in 1-4096");
  }
}
