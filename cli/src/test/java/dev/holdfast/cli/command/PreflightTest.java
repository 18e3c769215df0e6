package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.Preflight.Item;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.text.Style;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max open files            1024                 4096                 files
      Max locked memory         65536                65536                bytes
      """;

  @TempDir private Path folder;

  @Test
  void openFilesMustSufficeForTheStore() {
    Limits limits = new Limits(LIMITS, false);
    assertThat(limits.openFiles(960, true).outcome()).isEqualTo(Outcome.PASS);
    assertThat(limits.openFiles(961, true))
        .isEqualTo(
            Item.fail(
                "open files",
                "4096 allowed, 4100 needed for 961 ranks at the store",
                "ulimit -n 4100, or LimitNOFILE=4100 for the service that starts jobs (slurmd,"
                    + " containerd)"));
    assertThat(limits.openFiles(100_000, false).outcome()).isEqualTo(Outcome.PASS);
    assertThat(new Limits("", false).openFiles(1, true).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void rdmaNeedsLockedMemory() {
    assertThat(new Limits(LIMITS, false).lockedMemory())
        .isEqualTo(Item.skip("locked memory", "no RDMA adapter here"));
    Item found = new Limits(LIMITS, true).lockedMemory();
    assertThat(found.outcome()).isEqualTo(Outcome.FAIL);
    assertThat(found.detail()).isEqualTo("65536 bytes; RDMA pins its buffers");
    String unlimited = LIMITS.replace("65536                65536", "65536            unlimited");
    assertThat(new Limits(unlimited, true).lockedMemory())
        .isEqualTo(Item.pass("locked memory", "unlimited"));
  }

  @Test
  void aFolderIsTriedWithoutBeingMade() throws IOException {
    Path wanted = folder.resolve("a/b");
    assertThat(Room.of("log folder", wanted).outcome()).isIn(Outcome.PASS, Outcome.WARN);
    assertThat(wanted.getParent()).doesNotExist();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
    Item refused = Room.of("log folder", Path.of("/proc/none"));
    assertThat(refused.outcome()).isEqualTo(Outcome.FAIL);
    assertThat(refused.detail()).startsWith("/proc/none cannot be written: ");
  }

  @Test
  void littleRoomIsSaid() {
    assertThat(Room.judged("log folder", Path.of("/l"), 99L << 20).outcome())
        .isEqualTo(Outcome.FAIL);
    assertThat(Room.judged("log folder", Path.of("/l"), 500L << 20).outcome())
        .isEqualTo(Outcome.WARN);
    assertThat(Room.judged("log folder", Path.of("/l"), 2L << 30))
        .isEqualTo(Item.pass("log folder", "/l, 2 GiB free"));
  }

  @Test
  void theMeetingPlaceIsTried() throws IOException {
    int closed;
    try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = open.getLocalPort();
      assertThat(Ways.reach("127.0.0.1", closed).outcome()).isEqualTo(Outcome.PASS);
    }
    assertThat(Ways.reach("127.0.0.1", closed).outcome()).isEqualTo(Outcome.WARN);
  }

  @Test
  void onlyFailuresStandInTheWay() {
    List<Item> items =
        List.of(
            Item.pass("a", "fine"), Item.warn("b", "odd", "mend it"), Item.skip("c", "nothing"));
    assertThat(new Preflight(items).obstacle()).isEmpty();
    Preflight bad = new Preflight(List.of(Item.fail("port", "taken", "end it"), items.get(1)));
    assertThat(bad.obstacle()).contains("port");
    assertThat(bad.table(Style.PLAIN, 100))
        .isEqualTo("fail  port: taken\n      do: end it\nwarn  b: odd\n      do: mend it\n");
  }
}
