package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeCoresTest {
  @TempDir private Path root;

  private void siblings(int processor, String list) throws Exception {
    Path folder = root.resolve("sys/devices/system/cpu/cpu" + processor + "/topology");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("thread_siblings_list"), list + "\n");
  }

  @Test
  void everyCoreIsTakenOnceBeforeOneIsTakenTwice() throws Exception {
    siblings(0, "0-1");
    siblings(1, "0-1");
    siblings(2, "2-3");
    siblings(3, "2-3");
    assertThat(FreeCores.apart(List.of(0, 1, 2, 3), root)).containsExactly(0, 2, 1, 3);
    assertThat(FreeCores.apart(List.of(1, 2, 3), root)).containsExactly(1, 2, 3);
  }

  @Test
  void aCoreThatSomebodyKeepsBusyIsNotTaken() {
    Map<Integer, Double> busy = Map.of(0, 0.98, 1, 0.02, 2, 0.0, 3, 0.01);
    assertThat(FreeCores.free(List.of(0, 1, 2, 3), busy, 2)).containsExactly(1, 2);
    assertThat(FreeCores.free(List.of(0, 1, 2, 3), busy, 3)).containsExactly(1, 2, 3);
    assertThat(FreeCores.free(List.of(0, 1, 2, 3), busy, 4)).isEmpty();
  }

  @Test
  void whoeverWandersFromCoreToCoreNeedsOneAllTheSame() {
    Map<Integer, Double> busy = Map.of(0, 0.5, 1, 0.5);
    assertThat(FreeCores.free(List.of(0, 1), busy, 2)).isEmpty();
    assertThat(FreeCores.free(List.of(0, 1), busy, 1)).containsExactly(0);
  }

  @Test
  void timeOfEachProcessorIsReadFromTheKernel() {
    String stat =
        """
        cpu  300 10 90 5000 7 20 30 400 0 0
        cpu0 100 10 40 2000 7 20 30 400 0 0
        cpu11 200 0 50 3000 0 0 0 0 0 0
        intr 12345 6
        cpufreq nonsense
        """;
    assertThat(FreeCores.seconds(stat)).isEqualTo(Map.of(0, 2.0, 11, 2.5));
    assertThat(FreeCores.seconds("")).isEmpty();
  }

  @Test
  void whatIsNotToldIsNotGuessed() {
    assertThat(FreeCores.apart(List.of(4, 5, 6), root)).containsExactly(4, 5, 6);
  }
}
