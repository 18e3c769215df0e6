package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Style;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The best of each size is marked, and what may be as good is not called worse. */
class GridTest {
  private static NetResult result(long bytes, double... seconds) {
    return NetResult.of(Collective.ALL_REDUCE, "", bytes, 2, "float", Latency.UNKNOWN, 0, seconds);
  }

  private final Grid grid =
      new Grid(
          List.of(
              new Grid.Setting(
                  "shm", List.of(result(1024, 5e-6, 5.1e-6, 5.2e-6), result(1 << 20, 1e-3, 1e-3))),
              new Grid.Setting(
                  "tcp",
                  List.of(result(1024, 4e-6, 4.5e-6, 5.1e-6), result(1 << 20, 2e-3, 2e-3)))));

  @Test
  void theBestOfEachSizeIsMarked() {
    assertThat(grid.table(Style.PLAIN).lines().map(String::strip))
        .containsExactly(
            "busbw in GB/s   1 KiB     1 MiB",
            "shm            0.2008 ~    1.05 *",
            "tcp            0.2276 *  0.5243");
    assertThat(grid.words())
        .isEqualTo(
            "Best here: tcp at 1 KiB; shm at 1 MiB. What has a tilde may be as good: the rounds do"
                + " not tell.");
  }

  @Test
  void programsAreToldTheSame() {
    assertThat(grid.tree().toString()).contains("bytes=1024, setting=tcp, perhaps=[shm]");
    assertThat(grid.tree().toString()).contains("bytes=1048576, setting=shm, perhaps=[]");
  }
}
