package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void whatIsNotToldIsNotGuessed() {
    assertThat(FreeCores.apart(List.of(4, 5, 6), root)).containsExactly(4, 5, 6);
  }
}
