package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The benchmark of the store as people run it: real processes, few clients, little time. */
class BenchStoreIT {
  private static List<String> command(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "bench",
                "store",
                "--quick",
                "--ops",
                "add,set",
                "--seconds",
                "0.2",
                "--rounds",
                "1"));
    words.addAll(List.of(more));
    return words;
  }

  @Test
  void oursAloneIsMeasuredInEveryCase() {
    TestConsole console = new TestConsole();
    int code =
        console.run(
            command("--peer", "none", "--connections", "1,16", "--format", "json")
                .toArray(String[]::new));
    assertThat(code).as(console.err()).isZero();
    Map<String, ?> result = Json.object(console.out());
    assertThat(result.get("schema")).isEqualTo("holdfast.bench.store/1");
    assertThat(result.get("servers")).isEqualTo(List.of("holdfast"));
    assertThat(console.out())
        .contains("\"fanOut\"", "\"cancelOwn\"", "\"disconnect\"", "\"memory\"")
        .doesNotContain("\"failed\"");
  }

  @Test
  void killedItLeavesNoProcessBehind() throws Exception {
    List<String> line =
        HoldfastProgram.command(
            List.of(),
            List.of("bench", "store", "--peer=none", "--connections=16", "--seconds=60"));
    Process bench =
        new ProcessBuilder(line)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    long deadline = System.nanoTime() + 60_000_000_000L;
    List<ProcessHandle> started = List.of();
    try {
      while (started.stream().noneMatch(BenchStoreIT::serves)) {
        assertThat(System.nanoTime()).as("no server is started").isLessThan(deadline);
        assertThat(bench.isAlive()).isTrue();
        Thread.sleep(100);
        started = bench.descendants().toList();
      }
    } finally {
      bench.destroyForcibly().waitFor();
    }
    try {
      while (started.stream().anyMatch(ProcessHandle::isAlive)) {
        assertThat(System.nanoTime()).as("left behind").isLessThan(deadline);
        Thread.sleep(100);
      }
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static boolean serves(ProcessHandle process) {
    try {
      Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return Files.readString(line, StandardCharsets.ISO_8859_1).contains("\0store\0--port\0");
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void aPeerThatIsNotThereCannotBeMeasured() {
    TestConsole console = new TestConsole();
    int code =
        console.run(
            command("--peer", "python:/nonexistent/python3", "--connections", "1")
                .toArray(String[]::new));
    assertThat(code).isEqualTo(3);
    assertThat(console.err()).contains("HF-1701").contains("python");
  }

  @Test
  void wrongWordsAreRefusedBeforeAnythingStarts() {
    TestConsole console = new TestConsole();
    assertThat(console.run("bench", "store", "--peer", "torch")).isEqualTo(2);
    assertThat(console.err()).contains("'torch'");
    assertThat(console.run("bench", "store", "--peer", "none", "--ops", "divide")).isEqualTo(2);
    assertThat(console.run("bench", "store", "--peer", "none", "--server-cpus", "x")).isEqualTo(2);
  }
}
