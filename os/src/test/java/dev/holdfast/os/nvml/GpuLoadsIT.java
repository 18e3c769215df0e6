package dev.holdfast.os.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against stand-ins for the driver's library. */
class GpuLoadsIT {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  @TempDir Path folder;

  @AfterEach
  void forgetTheLibrary() {
    System.clearProperty(NvmlChild.LIBRARY_PROPERTY);
  }

  private GpuLoads loads(String... definitions) {
    Path library = FakeNvml.build(folder, definitions);
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, library.toString());
    return new GpuLoads();
  }

  @Test
  void readsHowBusyEachDeviceIsAgainAndAgain() throws Exception {
    try (GpuLoads loads = loads()) {
      List<GpuLoads.Load> first = loads.read(DEADLINE);
      assertThat(first).hasSize(2);
      assertThat(first.getFirst())
          .isEqualTo(
              new GpuLoads.Load(
                  0, "GPU-00000000-1111-2222-3333-444444444444", "NVIDIA H200", 93, 300));
      for (int i = 0; i < 20; i++) {
        assertThat(loads.read(DEADLINE)).isEqualTo(first);
      }
      assertThat(loads.givenUp()).isFalse();
    }
  }

  @Test
  void aDeviceWhoseCallHangsIsLeftOutAndTheOthersGoOn() throws Exception {
    try (GpuLoads loads = loads("-DHANG=\"nvmlDeviceGetUtilizationRates\"")) {
      long begun = System.nanoTime();
      assertThat(loads.read(Duration.ofSeconds(3))).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
      for (int i = 0; i < 3; i++) {
        assertThat(loads.read(DEADLINE)).extracting(GpuLoads.Load::index).containsExactly(1);
      }
    }
  }

  @Test
  void aDeviceWhoseCallCrashesIsLeftOutAndTheOthersGoOn() throws Exception {
    try (GpuLoads loads = loads("-DCRASH=\"nvmlDeviceGetUtilizationRates\"", "-DTROUBLE=0")) {
      assertThat(loads.read(DEADLINE)).isEmpty();
      assertThat(loads.read(DEADLINE)).extracting(GpuLoads.Load::index).containsExactly(1);
    }
  }

  @Test
  void withoutALibraryNothingIsAskedAgain() throws Exception {
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, folder.resolve("none.so").toString());
    try (GpuLoads loads = new GpuLoads()) {
      assertThat(loads.read(DEADLINE)).isEmpty();
      assertThat(loads.givenUp()).isTrue();
    }
  }

  @Test
  void nonsenseIsNotKnown() throws Exception {
    try (GpuLoads loads = loads("-DGARBAGE=1")) {
      for (GpuLoads.Load load : loads.read(DEADLINE)) {
        assertThat(load.percent()).isEqualTo(-1);
        assertThat(load.usedBytes()).isEqualTo(-1);
      }
    }
  }
}
