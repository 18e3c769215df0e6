package dev.holdfast.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fixture node gives exactly the findings written beside it. */
class FixtureNodesTest {
  static Path nodes() {
    return Golden.root().resolve("fixtures/nodes");
  }

  static Stream<String> names() throws IOException {
    try (var folders = Files.list(nodes())) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void findingsAreThoseWrittenBesideTheFixture(String name) {
    Report report = examine(name);
    List<Object> findings =
        report.findings().stream().map(finding -> (Object) FindingForm.json(finding)).toList();
    Golden.verify(nodes().resolve(name).resolve("expected/findings.json"), Json.pretty(findings));
  }

  @ParameterizedTest
  @MethodSource("names")
  void noCheckFailsByItself(String name) {
    assertThat(examine(name).results())
        .noneMatch(result -> result.detail().contains("HF-1901"))
        .noneMatch(result -> result.detail().contains("deadline"));
  }

  @Test
  void cleanNodesHaveNoFindings() {
    assertThat(names0()).contains("clean");
    assertThat(examine("clean").findings()).isEmpty();
  }

  private static List<String> names0() {
    try {
      return names().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static Report examine(String name) {
    Duration deadline = Duration.ofSeconds(20);
    Site site = Site.none(LocalDate.of(2026, 1, 1));
    return new Doctor(Checks.all(), site, deadline, deadline)
        .examine(RecordedFolder.open(nodes().resolve(name)), Level.PASSIVE)
        .report();
  }
}
