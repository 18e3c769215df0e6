package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.os.nvml.GpuLoads;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankDeviceTest {
  private static String device(String local, String visible) {
    return RankDevice.of(Map.of("LOCAL_RANK", local, "CUDA_VISIBLE_DEVICES", visible));
  }

  @Test
  void aRankHasTheDeviceOfItsLocalRankAmongThoseItSees() {
    assertThat(RankDevice.of(Map.of("LOCAL_RANK", "3"))).isEqualTo("3");
    assertThat(device("1", "4,5,6")).isEqualTo("5");
    assertThat(device("1", "GPU-8f3c1d, GPU-77aa")).isEqualTo("GPU-77aa");
    assertThat(device("5", "7")).isEqualTo("7");
    assertThat(RankDevice.of(Map.of("SLURM_LOCALID", "2"))).isEqualTo("2");
  }

  @Test
  void whatCannotBeToldIsNotGuessed() {
    assertThat(device("0", "")).isEmpty();
    assertThat(device("0", "-1")).isEmpty();
    assertThat(device("2", "0,1,-1,3")).isEmpty();
    assertThat(device("2", "0,1")).isEmpty();
    assertThat(RankDevice.of(Map.of())).isEmpty();
    assertThat(RankDevice.of(Map.of("LOCAL_RANK", "0", "ROCR_VISIBLE_DEVICES", "1"))).isEmpty();
  }

  private static final List<GpuLoads.Load> ALIKE =
      List.of(
          new GpuLoads.Load(0, "GPU-aa11", "H200", 7, 100),
          new GpuLoads.Load(1, "GPU-bb22", "H200", 93, 200));

  @Test
  void theLoadIsThatOfTheNumberOrTheName() {
    assertThat(GpuWatch.match("1", ALIKE, false)).isEqualTo(new DeviceLoad("1", 93, 200));
    assertThat(GpuWatch.match("GPU-bb", ALIKE, false)).isEqualTo(new DeviceLoad("GPU-bb", 93, 200));
    assertThat(GpuWatch.match("7", ALIKE, false).percent()).isEqualTo(-1);
    assertThat(GpuWatch.match("MIG-bb", ALIKE, false).percent()).isEqualTo(-1);
  }

  @Test
  void amongUnlikeDevicesANumberNeedsTheOrderOfTheBus() {
    List<GpuLoads.Load> mixed =
        List.of(
            new GpuLoads.Load(0, "GPU-aa11", "T4", 7, 100),
            new GpuLoads.Load(1, "GPU-bb22", "H200", 93, 200));
    assertThat(GpuWatch.match("0", mixed, false).percent()).isEqualTo(-1);
    assertThat(GpuWatch.match("0", mixed, true).percent()).isEqualTo(7);
    assertThat(GpuWatch.match("GPU-aa", mixed, false).percent()).isEqualTo(7);
  }
}
