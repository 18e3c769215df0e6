package dev.holdfast.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.node.RecordedNode;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the files of a node hold, a host check answers: it never fails by itself. */
class GarbageTest {
  private static final Set<String> GROUPS =
      Set.of("processor", "memory", "storage", "system", "kernel", "container");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n",
        "garbage",
        "-1",
        "99999999999999999999999999",
        "\u0000\uFFFD\t\t\t",
        "a b c d e f g h\n:::\n===\n- - - - -\n[[[]]]\n",
        "1 2 3/ 4\nNode x, zone Normal one two\nmd0 : active\n [/] [\n0::\n"
      })
  void everyHostCheckAnswersOnGarbage(String garbage) {
    Map<String, String> members =
        new TreeMap<>(RecordedFolder.members(FixtureNodesTest.nodes().resolve("clean")));
    members.replaceAll(
        (name, text) -> name.startsWith("root/") || name.startsWith("probe/") ? garbage : text);
    Duration deadline = Duration.ofSeconds(20);
    List<Check> checks =
        Checks.all().stream().filter(check -> GROUPS.contains(check.info().group())).toList();
    Report report =
        new Doctor(checks, Site.none(LocalDate.of(2026, 1, 1)), deadline, deadline)
            .examine(new RecordedNode(members), Level.PASSIVE)
            .report();
    assertThat(report.results()).noneMatch(result -> result.detail().contains("HF-1901"));
    assertThat(report.findings()).allMatch(finding -> !finding.summary().contains("null"));
  }
}
