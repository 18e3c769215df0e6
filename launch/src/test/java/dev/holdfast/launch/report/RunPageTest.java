package dev.holdfast.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunPageTest {
  private static final Map<String, Supplier<Story>> STORIES =
      Map.of(
          "clean", Story::clean,
          "hang", Story::hang,
          "kill", Story::kill,
          "node-lost", Story::nodeLost,
          "crash-loop", Story::crashLoop,
          "preempted", Story::preempted);

  static Stream<String> stories() {
    return STORIES.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("stories")
  void pagesAreAsBefore(String name) throws IOException {
    RunReport report = STORIES.getOrDefault(name, Story::clean).get().report();
    keep(name, RunPage.html(report));
    Path folder = Golden.root().resolve("fixtures/runs").resolve(name);
    Golden.verify(folder.resolve("report.txt"), RunPage.text(report, 80, Style.PLAIN));
    Golden.verify(folder.resolve("run.json"), RunPage.json(report));
    if (name.equals("hang")) {
      Golden.verify(folder.resolve("report.html"), RunPage.html(report));
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void aPageFitsTheTerminal(String name) {
    RunReport report = STORIES.getOrDefault(name, Story::clean).get().report();
    for (int width : List.of(60, 80, 120)) {
      assertThat(RunPage.text(report, width, Style.PLAIN).lines())
          .allMatch(line -> line.length() <= width);
    }
  }

  @Test
  void coloursAddNothingButColours() {
    RunReport report = Story.hang().report();
    String coloured = Style.painted(RunPage.text(report, 80, Style.ANSI));
    assertThat(coloured).contains("\u001b[");
    assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", ""))
        .isEqualTo(RunPage.text(report, 80, Style.PLAIN));
  }

  @Test
  void whatProgramsSayCannotBreakThePage() {
    String evil = "</title><script>alert(1)</script>\u001b[31m\u0000\n\"'&";
    RunReport report =
        Story.begin(1, 1)
            .at(1)
            .add(Kinds.TROUBLE, "what", evil)
            .add(Kinds.RANK_STARTED, "attempt", 0, "rank", 0, "node", evil)
            .add(Kinds.JOB_ENDED, "exitCode", 1, "why", evil)
            .report();
    assertThat(RunPage.html(report)).doesNotContain("<script").doesNotContain("\u001b");
    assertThat(RunPage.text(report, 80, Style.PLAIN))
        .doesNotContain("\u001b")
        .doesNotContain("\u0000");
    assertThat(Json.object(RunPage.json(report))).containsEntry("why", evil);
  }

  @Test
  void thousandsOfRanksStayAReadablePage() throws Exception {
    RunReport report = Story.large().report();
    assertThat(report.attempts().getFirst().world()).isEqualTo(4096);
    List<Rows.Row> rows = Rows.of(report);
    assertThat(rows).hasSizeLessThanOrEqualTo(Rows.MOST_NODES);
    assertThat(rows).extracting(Rows.Row::label).contains("n163", "spare0");
    String html = RunPage.html(report);
    assertThat(html.length()).isLessThan(60_000);
    keep("large", html);
  }

  @Test
  void aRunThatBarelyBeganHasAPage() {
    RunReport empty = RunReport.of(List.of());
    assertThat(RunPage.text(empty, 80, Style.PLAIN)).contains("not known");
    assertThat(RunPage.html(empty))
        .contains("<svg")
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
    assertThat(Json.object(RunPage.json(empty))).containsEntry("schema", "holdfast.run/1");
  }

  /** For whoever wants to look at them: {@code target/pages}. */
  private static void keep(String name, String html) throws IOException {
    Path folder = Files.createDirectories(Path.of("target/pages"));
    Files.writeString(folder.resolve(name + ".html"), html);
  }
}
