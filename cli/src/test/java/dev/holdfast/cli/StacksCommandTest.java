package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of stacks as a person meets them. */
class StacksCommandTest {
  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  private Path stacks() throws IOException {
    Path stacks = Files.createDirectory(folder.resolve("stacks"));
    for (int rank = 0; rank < 8; rank++) {
      Files.writeString(
          stacks.resolve("rank_" + rank + ".txt"),
          """
          Current thread 0x00007e (most recent call first):
            File "/home/u/%s", line 12 in %s
            File "/home/u/train.py", line 90 in <module>
          """
              .formatted(rank == 5 ? "data.py" : "comm.py", rank == 5 ? "next" : "all_reduce"));
    }
    Files.writeString(stacks.resolve("rank_8.txt"), "the process was gone\n");
    return stacks;
  }

  @Test
  void whoIsSomewhereElseIsSeen() throws IOException {
    assertThat(console.run("stacks", "--from", stacks().toString())).as(console.err()).isZero();
    assertThat(console.out())
        .contains("8 ranks in 2 classes")
        .contains("7 [0-4,6-7]")
        .contains("next@data.py:12 [5], look at rank 5");
    assertThat(console.err()).contains("not read: rank_8.txt: no stack is in it");
  }

  @Test
  void dotPictureAndOtherFormsAreWritten() throws IOException {
    Path dot = folder.resolve("tree.dot");
    Path svg = folder.resolve("tree.svg");
    assertThat(
            console.run(
                "stacks",
                "--from",
                stacks().toString(),
                "--format",
                "json",
                "--dot",
                dot.toString(),
                "--svg",
                svg.toString()))
        .isZero();
    assertThat(Json.object(console.out()).get("ranks")).isEqualTo("[0-7]");
    assertThat(svg).content().contains("1 rank [5]");
    TestConsole again = new TestConsole();
    assertThat(again.run("stacks", "--from", dot.toString(), "--format", "folded")).isZero();
    assertThat(again.out())
        .isEqualTo(
            "<module>@train.py:90;all_reduce@comm.py:12 7\n"
                + "<module>@train.py:90;next@data.py:12 1\n");
  }

  @Test
  void whatHoldsNoStacksIsAnError() throws IOException {
    assertThat(console.run("stacks", "--from", folder.toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1802");
    Path file = Files.writeString(folder.resolve("x.dot"), "hello\n");
    TestConsole again = new TestConsole();
    assertThat(again.run("stacks", "--from", file.toString())).isEqualTo(2);
    assertThat(again.err()).contains("HF-1802").contains("not a graph of STAT");
    TestConsole nowhere = new TestConsole();
    assertThat(nowhere.run("stacks", "--from", folder.resolve("no").toString())).isEqualTo(2);
    assertThat(nowhere.err()).contains("HF-1005");
  }
}
