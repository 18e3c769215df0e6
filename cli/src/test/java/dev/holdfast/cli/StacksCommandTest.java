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
    Path stacks = Files.createDirectories(folder.resolve("stacks"));
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

  @Test
  void aProcessWithoutAStackIsShownWithWhatTheKernelSays() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      String pid = Long.toString(process.pid());
      assertThat(
              console.run("stacks", "--pid", pid + ",999999999", "--samples=2", "--interval=1ms"))
          .as(console.err())
          .isZero();
      assertThat(console.out())
          .contains("1 ranks in 1 classes")
          .contains("no stack: neither Python nor Java; --native asks a debugger")
          .contains("rank 0: neither Python nor Java")
          .contains("2 samples, each taken within ")
          .contains("moved: nobody");
      assertThat(console.err())
          .contains("rank 0 is sleep " + pid)
          .contains("not asked: process 999999999: there is no such process");
      TestConsole json = new TestConsole();
      assertThat(json.run("stacks", "--pid", pid, "--format=json")).isZero();
      assertThat(json.out()).contains("\"pid\": " + pid).contains("\"windowSeconds\"");
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatTheRunKeptWhenItHungIsRead() throws IOException {
    Path kept =
        Files.writeString(
            folder.resolve("hang.json"),
            """
            {"schema": "holdfast.hang/1", "ranks": [
              {"rank": 0, "pid": 7, "lines": [], "stacks": "  File \\"a.py\\", line 3 in wait"},
              {"rank": 1, "pid": 8, "lines": [], "noStacks": "in state D no signal reaches it"}]}
            """);
    assertThat(console.run("stacks", "--from", kept.toString(), "--format", "folded"))
        .as(console.err())
        .isZero();
    assertThat(console.out()).isEqualTo("wait@a.py:3 1\n");
    assertThat(console.err()).contains("not read: rank 1: in state D no signal reaches it");
  }

  @Test
  void wrongWordsAreToldAndNothingIsDone() throws IOException {
    for (String[] words :
        new String[][] {
          {"stacks"},
          {"stacks", "--pid", "1", "--from", "x"},
          {"stacks", "--from", stacks().toString(), "--native"},
          {"stacks", "--pid", "1", "--samples", "0"},
          {"stacks", "--pid", "1", "--within", "0s"},
          {"stacks", "--pid", "1", "--within", "2h"},
          {"stacks", "--pid", "1", "--interval", "soon"},
          {"stacks", "--pid", "999999999"},
          {"stacks", "--job", "/no/such/run"},
        }) {
      TestConsole one = new TestConsole();
      assertThat(one.run(words)).as(String.join(" ", words) + one.err()).isEqualTo(2);
    }
  }
}
