package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
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
