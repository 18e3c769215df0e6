package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryRoomTest {
  @TempDir Path root;

  @BeforeEach
  void machine() throws IOException {
    file("proc/meminfo", "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    800 kB\n");
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  @Test
  void withoutGroupsItIsThatOfTheMachine() {
    assertThat(MemoryRoom.now(root)).isEqualTo(new MemoryRoom(1000 << 10, 800 << 10));
  }

  @Test
  void theNarrowestGroupAroundCounts() throws IOException {
    file("proc/self/cgroup", "0::/job/step\n");
    file("sys/fs/cgroup/job/step/memory.max", "max\n");
    file("sys/fs/cgroup/job/step/memory.current", "5\n");
    file("sys/fs/cgroup/job/memory.max", "500000\n");
    file("sys/fs/cgroup/job/memory.current", "300000\n");
    file("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 50000\n");
    assertThat(MemoryRoom.now(root)).isEqualTo(new MemoryRoom(500_000, 250_000, "/job"));
  }

  @Test
  void aGroupThatMayUseMoreThanTheMachineHasLeftIsNoLimit() throws IOException {
    file("proc/self/cgroup", "0::/job\n");
    file("sys/fs/cgroup/job/memory.max", "1000000\n");
    file("sys/fs/cgroup/job/memory.current", "1000\n");
    assertThat(MemoryRoom.now(root)).isEqualTo(new MemoryRoom(1_000_000, 800 << 10));
  }

  @Test
  void neighboursInAWiderGroupLeaveLess() throws IOException {
    file("proc/self/cgroup", "0::/job/step\n");
    file("sys/fs/cgroup/job/step/memory.max", "500000\n");
    file("sys/fs/cgroup/job/step/memory.current", "100000\n");
    file("sys/fs/cgroup/job/memory.max", "600000\n");
    file("sys/fs/cgroup/job/memory.current", "550000\n");
    assertThat(MemoryRoom.now(root)).isEqualTo(new MemoryRoom(500_000, 50_000, "/job"));
  }

  @Test
  void groupsOfTheFirstVersionCountToo() throws IOException {
    file("proc/self/cgroup", "3:cpu:/\n4:memory,x:/job\n0::/\n");
    file("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500000\n");
    file("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "450000\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(MemoryRoom.now(root)).isEqualTo(new MemoryRoom(500_000, 50_000, "/job"));
  }

  @Test
  void aProcessHasMemory() {
    assertThat(MemoryRoom.of(ProcessHandle.current().pid())).isGreaterThan(10L << 20);
    assertThat(MemoryRoom.of(1L << 40)).isZero();
  }
}
