package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every pair of ranks, and who is to blame, on eight hosts with real traffic and a real fault. */
class BenchNetPairsIT {
  private static final int LEAVES = 4;
  private static final int LOSS_PERCENT = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** More by hand, to see that it is never luck. */
  private static final int TIMES = Integer.getInteger("blame.times", 2);

  @TempDir Path folder;

  @Test
  void pairsOfThisMachineAreShownAndDrawn() throws IOException {
    Path picture = folder.resolve("pairs.svg");
    TestConsole console = new TestConsole();
    int code =
        console.run(
            "bench",
            "net",
            "pairs",
            "--ranks",
            "3",
            "--transport",
            "unix",
            "--seconds",
            "0.05",
            "--svg",
            picture.toString());
    assertThat(code).as(console.err()).isZero();
    assertThat(console.out())
        .contains("Every pair of 3 ranks on this machine over unix")
        .contains("Median of 3 pairs");
    assertThat(Files.readString(picture)).contains("0 - 1: ");
  }

  @Test
  void aPictureForStandardOutputIsAloneThere() {
    TestConsole console = new TestConsole();
    int code =
        console.run(
            "bench", "net", "pairs", "--transport", "unix", "--seconds", "0.05", "--svg", "-");
    assertThat(code).as(console.err()).isZero();
    assertThat(console.out()).startsWith("<svg xmlns").endsWith("</svg>\n");
  }

  private CommandResult pairs(LeafSpine network, String... more) throws IOException {
    return pairs(network, LEAVES, "eth0", more);
  }

  private CommandResult pairs(LeafSpine network, int count, String cards, String... more)
      throws IOException {
    StringBuilder leaves = new StringBuilder();
    for (int leaf = 1; leaf <= count; leaf++) {
      int last = leaf * LeafSpine.PER_LEAF;
      leaves.append("leaf%d: n[%d-%d]\n".formatted(leaf, last - LeafSpine.PER_LEAF + 1, last));
    }
    Path file = Files.writeString(folder.resolve("leaves"), leaves);
    List<String> words =
        new ArrayList<>(
            List.of(
                "bench",
                "net",
                "pairs",
                "--hosts",
                "n[1-%d]".formatted(count * LeafSpine.PER_LEAF),
                "--rsh",
                "ip netns exec " + network.prefix() + "{host}",
                "--interface",
                cards,
                "--no-bind",
                "--leaves",
                file.toString()));
    words.addAll(List.of(more));
    List<String> command = new ArrayList<>(network.inside(1));
    command.addAll(HoldfastProgram.command(List.of("-Xmx128m"), words));
    CommandResult result = Command.of(command).within(PATIENCE).run();
    assertThat(result.exitCode()).as(result.output() + result.error()).isBetween(0, 1);
    return result;
  }

  private String blame(LeafSpine network, int seed) throws IOException {
    return pairs(network, "--blame", "--seed", Integer.toString(seed)).output();
  }

  @Test
  void aCableThatLosesPacketsIsPinnedOnItsHost() throws IOException {
    try (LeafSpine network = LeafSpine.make("loss", LEAVES)) {
      network.loseOfHost(6, LOSS_PERCENT);
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed))
            .containsOnlyOnce("node n6 is slow")
            .doesNotContain("undecided");
      }
    }
  }

  @Test
  void aThrottledCableIsPinnedOnItsHost() throws IOException {
    try (LeafSpine network = LeafSpine.make("slowpair", LEAVES)) {
      network.limitHost(3, "30mbit");
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed))
            .containsOnlyOnce("node n3 is slow")
            .doesNotContain("undecided");
      }
    }
  }

  @Test
  void uplinksThatLosePacketsArePinnedOnTheirLeaf() throws IOException {
    try (LeafSpine network = LeafSpine.make("lossup", LEAVES)) {
      network.loseOfUplink(2, LOSS_PERCENT);
      for (int seed = 1; seed <= TIMES; seed++) {
        assertThat(blame(network, seed))
            .contains("uplinks of leaf leaf2 is slow")
            .doesNotContain("node n")
            .doesNotContain("undecided");
      }
    }
  }

  @Test
  void aSlowCardIsToldFromItsHost() throws IOException {
    try (LeafSpine network = LeafSpine.make("cards", 2)) {
      network.secondCards();
      network.limitSecond(3, "30mbit");
      CommandResult result =
          pairs(network, 2, "eth0,eth1", "--address", network.address(1), "--blame");
      assertThat(result.output())
          .containsOnlyOnce("adapter or its cable n3/eth1 is slow")
          .doesNotContain("node n")
          .doesNotContain("undecided");
    }
  }

  @Test
  void aHostThatIsCutOffFailsAndTheOthersAreProvenGood() throws IOException {
    try (LeafSpine network = LeafSpine.make("cutpair", LEAVES)) {
      network.cut(5);
      String json = pairs(network, "--blame", "--timeout", "5", "--format", "json").output();
      CommandResult judged = Schemas.validate("bench-pairs.json", json, folder);
      assertThat(judged.succeeded()).as(judged.error()).isTrue();
      Fields answer = Fields.of("answer", Json.object(json));
      assertThat(answer.object("manifest").texts("hosts")).contains("n1", "n5", "n8");
      assertThat(answer.object("manifest").textMap("facts")).containsKeys("kernel", "addresses");
      assertThat(answer.object("manifest").object("load").has("foreignBytesPerSecond"))
          .as("the hosts looked at themselves and at their cards")
          .isTrue();
      Fields blame = answer.object("blame");
      assertThat(blame.objects("blamed")).hasSize(1);
      assertThat(blame.objects("blamed").getFirst().text("name")).isEqualTo("n5");
      assertThat(blame.objects("blamed").getFirst().text("fault")).isEqualTo("failed");
      assertThat(blame.integer("provenGood")).isEqualTo(7);
    }
  }
}
