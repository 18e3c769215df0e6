package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight hosts on a leaf and spine network with real sockets, and something wrong with it. */
class BenchBlameIT {
  private static final int LEAVES = 4;
  private static final Path SCRIPT =
      Golden.root().resolve("cli/src/test/resources/dev/holdfast/cli/pair.py");

  /** More by hand, to see that it is never luck. */
  private static final int TIMES = Integer.getInteger("blame.times", 1);

  @TempDir Path folder;

  private String blame(LeafSpine network, int seed) throws IOException {
    StringBuilder leaves = new StringBuilder();
    for (int leaf = 1; leaf <= LEAVES; leaf++) {
      int last = leaf * LeafSpine.PER_LEAF;
      leaves.append("leaf%d: n[%d-%d]\n".formatted(leaf, last - LeafSpine.PER_LEAF + 1, last));
    }
    Path file = folder.resolve("leaves");
    Files.writeString(file, leaves);
    TestConsole console = new TestConsole();
    int code =
        console.run(
            "bench",
            "blame",
            "--leaves",
            file.toString(),
            "--seed",
            Integer.toString(seed),
            "--timeout",
            "100s",
            "--",
            "/usr/bin/python3",
            SCRIPT.toString(),
            network.prefix());
    assertThat(code).as(console.out() + console.err()).isBetween(0, 1);
    return console.out();
  }

  @Test
  void aThrottledCableIsPinnedOnItsHost() throws IOException {
    Tools.require("python3", "python3");
    try (LeafSpine network = LeafSpine.make("slow", LEAVES)) {
      network.limitHost(6, "20mbit");
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed))
            .containsOnlyOnce("node n6 is slow")
            .doesNotContain("undecided");
      }
    }
  }

  @Test
  void aCutCableIsPinnedOnItsHost() throws IOException {
    Tools.require("python3", "python3");
    try (LeafSpine network = LeafSpine.make("cut", LEAVES)) {
      network.cut(3);
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed)).contains("node n3 fails").doesNotContain("undecided");
      }
    }
  }

  @Test
  void aThrottledUplinkIsPinnedOnItsLeaf() throws IOException {
    Tools.require("python3", "python3");
    try (LeafSpine network = LeafSpine.make("uplink", LEAVES)) {
      network.limitUplink(2, "24mbit");
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed))
            .contains("uplinks of leaf leaf2 is slow")
            .doesNotContain("node n")
            .doesNotContain("undecided");
      }
    }
  }
}
