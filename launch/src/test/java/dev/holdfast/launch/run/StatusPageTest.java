package dev.holdfast.launch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Style;
import dev.holdfast.launch.job.DeviceLoad;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusPageTest {
  private static String page(DeviceLoad load) {
    JobStatus status =
        new JobStatus(
            "42",
            "n1",
            "running",
            true,
            0,
            0,
            3,
            1,
            12,
            "/runs/42",
            List.of(new JobStatus.NodeState("n1", "running")),
            List.of(
                new JobStatus.RankStatus(0, "n1", 4711, "S", 29, "", 1.5, 3, "step/30/2", load)),
            List.of("rank 0 is slow"));
    return StatusPage.of(status, Style.PLAIN);
  }

  @Test
  void ranksWithoutADeviceHaveNoColumnsForIt() {
    assertThat(page(DeviceLoad.NOT_KNOWN))
        .contains("waits for step/30/2", "rank 0 is slow")
        .doesNotContain("device", "busy");
  }

  @Test
  void ranksWithADeviceShowHowBusyItIs() {
    assertThat(page(new DeviceLoad("GPU-1", 87, 3L << 30))).contains("device", "87 %", "3");
  }
}
