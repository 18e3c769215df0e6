package dev.holdfast.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.testing.Found;
import dev.holdfast.agent.testing.TryNode;
import dev.holdfast.agent.testing.TryPlane;
import dev.holdfast.agent.watch.FolderMachine;
import dev.holdfast.agent.watch.Watch;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelWatchTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;

  private static KernelWatch follow(TryNode node, Memory memory) {
    FolderMachine machine = new FolderMachine(node.folder(), InstantSource.system());
    Watch watch =
        new Watch(machine, Checks.all(), Site.none(LocalDate.EPOCH), _ -> History.EMPTY, _ -> {});
    KernelWatch following =
        new KernelWatch(
            KernelFile.open(node.kernelLog(), KernelWatch.position(memory)),
            memory,
            InstantSource.system(),
            text -> watch.log(LogView.of(machine.glance(), text, true)));
    following.start(new Heartbeats());
    return following;
  }

  private Memory open() throws IOException {
    return Memory.open("node/clean", folder.resolve("state"), 8 << 20);
  }

  @Test
  void eachEventIsToldOnceForTheDeviceItNames() throws Exception {
    TryNode node = TryNode.in(folder);
    try (Memory memory = open();
        KernelWatch _ = follow(node, memory)) {
      node.kernelSays(TryNode.xid(79, "1b", 100));
      TryPlane.until("first", SOON, () -> memory.waitingReports() == 1);
      node.kernelSays("<6>[101.0] usb 1-1: new high-speed USB device");
      node.kernelSays(TryNode.xid(48, "43", 102));
      TryPlane.until("second", SOON, () -> memory.waitingReports() == 2);
      assertThat(Found.told(memory))
          .containsExactly(
              "raised gpu.kernel.xid node/clean/gpu/0 fatal x1",
              "raised gpu.kernel.xid node/clean/gpu/1 fatal x1");
    }
  }

  @Test
  void whatFollowsFromAnEarlierLineIsNotToldAsACause() throws Exception {
    TryNode node = TryNode.in(folder);
    try (Memory memory = open();
        KernelWatch following = follow(node, memory)) {
      node.kernelSays(TryNode.xid(48, "1b", 100));
      TryPlane.until("cause", SOON, () -> memory.waitingReports() == 1);
      // 45 is what the driver logs when it ends the programs that 48 hit.
      node.kernelSays(TryNode.xid(45, "1b", 101));
      TryPlane.until("read", SOON, () -> following.events() == 2);
      // Nothing is to come, and that takes waiting: long enough for it to be told.
      Thread.sleep(200);
      assertThat(Found.told(memory)).hasSize(1);
    }
  }

  @Test
  void anotherLifeGoesOnWhereTheLogWasRead() throws Exception {
    TryNode node = TryNode.in(folder);
    node.kernelSays(TryNode.xid(79, "1b", 100));
    try (Memory memory = open();
        KernelWatch _ = follow(node, memory)) {
      TryPlane.until("first", SOON, () -> memory.waitingReports() == 1);
    }
    node.kernelSays(TryNode.xid(48, "43", 102));
    try (Memory memory = open();
        KernelWatch _ = follow(node, memory)) {
      TryPlane.until("second", SOON, () -> memory.waitingReports() == 2);
      // The first line read again would be told by now.
      Thread.sleep(300);
      assertThat(Found.told(memory)).hasSize(2);
    }
  }

  @Test
  void aStormIsCountedAndCostsAFewReports() throws Exception {
    TryNode node = TryNode.in(folder);
    StringBuilder storm = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      storm.append(TryNode.xid(13, "1b", 100)).append('\n');
    }
    try (Memory memory = open();
        KernelWatch following = follow(node, memory)) {
      Files.writeString(node.kernelLog(), storm, StandardOpenOption.APPEND);
      TryPlane.until("read", SOON, () -> following.lines() == 5_000);
      node.kernelSays(TryNode.xid(79, "43", 101));
      TryPlane.until(
          "the one that matters",
          SOON,
          () -> {
            try {
              return Found.told(memory).stream().anyMatch(it -> it.contains("gpu/1 fatal"));
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(memory.waitingReports()).isLessThan(10);
    }
  }

  @Test
  void aFileThatIsReplacedIsReadFromItsBeginning() throws Exception {
    Path file = folder.resolve("log");
    Files.writeString(file, "one\ntwo\nhal");
    try (KernelFile feed = KernelFile.open(file, "")) {
      assertThat(feed.next()).containsExactly("one", "two");
      Files.writeString(file, "f\n", StandardOpenOption.APPEND);
      assertThat(feed.next()).containsExactly("half");
      String position = feed.position();
      Files.writeString(file, "more\n", StandardOpenOption.APPEND);
      try (KernelFile later = KernelFile.open(file, position)) {
        assertThat(later.next()).containsExactly("more");
      }
      Files.delete(file);
      Files.writeString(folder.resolve("other"), "fresh\n");
      Files.move(folder.resolve("other"), file);
      List<String> lines = feed.next();
      assertThat(lines.getLast()).isEqualTo("fresh");
    }
  }
}
