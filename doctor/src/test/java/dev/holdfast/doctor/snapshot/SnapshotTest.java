package dev.holdfast.doctor.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.inventory.Inventory;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.node.RecordedNode;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.doctor.testing.TestNode;
import dev.holdfast.doctor.topology.NodeTopology;
import dev.holdfast.os.file.Reading;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SnapshotTest {
  private static final Blanking NONE = new Blanking(false, false);

  @TempDir Path folder;

  private static Doctor doctor(List<Check> checks) {
    Duration enough = Duration.ofSeconds(30);
    return new Doctor(checks, Site.none(LocalDate.of(2026, 1, 1)), enough, enough);
  }

  static Stream<Path> fixtures() throws IOException {
    try (var list = Files.list(Golden.root().resolve("fixtures/nodes"))) {
      return list.filter(Files::isDirectory).sorted().toList().stream();
    }
  }

  private RecordedNode throughFile(NodeView node, Blanking blanking) {
    Snapshot snapshot = Snapshot.take(node, SnapshotTest::doctor, blanking);
    try {
      Path file = Files.write(folder.resolve(snapshot.fileName()), snapshot.archive("test"));
      return SnapshotArchive.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Report examine(NodeView node) {
    return doctor(SiteChecks.after(Checks.all(), node)).examine(node, Level.PASSIVE).report();
  }

  private static String answers(Report report) {
    return Json.pretty(report.findings().stream().map(FindingForm::json).toList())
        + String.join(
            "\n",
            report.results().stream()
                .map(result -> result.info().id() + " " + result.outcome() + " " + result.detail())
                .toList());
  }

  private static List<String> verdicts(Report report) {
    return Stream.concat(
            report.results().stream().map(result -> result.info().id() + " " + result.outcome()),
            report.findings().stream()
                .map(found -> found.check() + " " + found.subject() + " " + found.severity()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void aSnapshotGivesTheSameAnswersElsewhere(Path fixture) {
    RecordedNode original = RecordedFolder.open(fixture);
    RecordedNode copy = throughFile(original, NONE);
    assertThat(answers(examine(copy))).isEqualTo(answers(examine(original)));
    assertThat(Inventory.of(copy, new Accelerators(copy)))
        .isEqualTo(Inventory.of(original, new Accelerators(original)));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void blankingChangesNoVerdict(Path fixture) {
    RecordedNode original = RecordedFolder.open(fixture);
    assertThat(verdicts(examine(throughFile(original, Blanking.ALL))))
        .isEqualTo(verdicts(examine(original)));
  }

  @Test
  void refusalsAndAbsencesAreRecordedToo() {
    NodeView real =
        new TestNode()
            .file("/proc/meminfo", "MemTotal: 1 kB\n")
            .denied("/sys/kernel/mm/transparent_hugepage/enabled", "permission denied")
            .node();
    NodeView copy = throughFile(real, NONE);
    assertThat(copy.read("/sys/kernel/mm/transparent_hugepage/enabled"))
        .isInstanceOf(Reading.Denied.class);
    assertThat(copy.probe("nvml").why()).isEqualTo(real.probe("nvml").why());
    assertThat(copy.name()).isEqualTo("n1");
    assertThat(copy.now()).isEqualTo(real.now());
  }

  @Test
  void baselinesTravelWithTheSnapshot() {
    NodeView real = new TestNode().earlier(Duration.ofMinutes(5), Map.of("x", 7L)).node();
    assertThat(throughFile(real, Blanking.ALL).probe("history").text())
        .hasValue(real.probe("history").text().orElseThrow());
  }

  @Test
  void answersOfSiteChecksAreReplayed() {
    NodeView real =
        new TestNode()
            .probe("site-checks", "scratch\t/etc/holdfast/checks.d/scratch\nslow\t/x/slow\n")
            .probe("site-check/scratch", "{\"outcome\":\"fail\",\"summary\":\"no scratch\"}")
            .broken("probe/site-check/slow", "no end within 5000 ms, killed")
            .node();
    RecordedNode copy = throughFile(real, NONE);
    assertThat(answers(examine(copy)))
        .isEqualTo(answers(examine(real)))
        .contains("site.scratch FAIL no scratch", "site.slow SKIP HF-1202 no end within");
  }

  @Test
  void theFileIsNamedAfterNodeAndTime() {
    Snapshot snapshot = Snapshot.take(new TestNode().node(), SnapshotTest::doctor, NONE);
    assertThat(snapshot.fileName()).isEqualTo("holdfast-n1-20260101T120000Z.zip");
  }

  @Test
  void oddPathsSurviveAndImpossibleOnesAreSaidToBeMissing() throws IOException {
    Map<String, String> members =
        Map.of(
            "about",
            "node=n1\ntime=2026-01-01T12:00:00Z\n",
            "root/mnt/a\\040b/../50%",
            "odd",
            "root/a//b",
            "impossible");
    byte[] bytes = SnapshotArchive.write(members, Instant.EPOCH, "test");
    RecordedNode node = SnapshotArchive.open(Files.write(folder.resolve("x.zip"), bytes));
    assertThat(node.text("/mnt/a\\040b/../50%")).hasValue("odd");
    assertThat(node.read("/a//b")).isInstanceOf(Reading.Broken.class);
    assertThat(node.read("/a//b").why()).contains("not recorded");
  }

  @Test
  void everyTextComesBackAsItWas() throws IOException {
    Map<String, String> files =
        Map.of(
            "/a", "",
            "/b", "\n",
            "/c", "no line break at its end",
            "/d", "two\nlines\n\n",
            "/e", "a \\n that is no line break\n",
            "/f", "a\tTAB\r\n",
            "/g", "x".repeat(5000) + "\n",
            "/sys/a b/größe", "ü\n");
    Map<String, String> members = new TreeMap<>(Map.of("about", "node=n1\n"));
    files.forEach((path, text) -> members.put("root" + path, text));
    byte[] bytes = SnapshotArchive.write(members, Instant.EPOCH, "test");
    RecordedNode node = SnapshotArchive.open(Files.write(folder.resolve("x.zip"), bytes));
    files.forEach((path, text) -> assertThat(node.read(path).text()).hasValue(text));
  }

  @Test
  void aLogLongerThanAMemberKeepsItsEnd() throws IOException {
    String log = "line of the kernel log, over and over again\n".repeat(500_000) + "last\n";
    byte[] bytes =
        SnapshotArchive.write(
            Map.of("about", "node=n1\n", "probe/kernel-log", log), Instant.EPOCH, "t");
    RecordedNode node = SnapshotArchive.open(Files.write(folder.resolve("x.zip"), bytes));
    assertThat(node.probe("kernel-log").text().orElseThrow())
        .startsWith("line of")
        .endsWith("again\nlast\n");
  }

  @Test
  void whatIsNoSnapshotIsRefusedWithItsReason() throws IOException {
    assertThat(refusal(folder.resolve("none.zip"))).isEqualTo(ErrorCode.UNREADABLE_INPUT);
    assertThat(refusal(folder)).isEqualTo(ErrorCode.NOT_AN_ARCHIVE);
    assertThat(refusal(Path.of("/dev/null"))).isEqualTo(ErrorCode.UNREADABLE_INPUT);
    assertThat(refusal(Files.createFile(folder.resolve("empty.zip"))))
        .isEqualTo(ErrorCode.NOT_AN_ARCHIVE);
    byte[] nameless = SnapshotArchive.write(Map.of("root/x", "y"), Instant.EPOCH, "test");
    assertThat(refusal(Files.write(folder.resolve("nameless.zip"), nameless)))
        .isEqualTo(ErrorCode.DAMAGED_ARCHIVE);
    for (String about : List.of("node=a b/c\n", "node=n1\ntime=noon\n")) {
      byte[] wrong = SnapshotArchive.write(Map.of("about", about), Instant.EPOCH, "test");
      assertThat(refusal(Files.write(folder.resolve("wrong.zip"), wrong)))
          .isEqualTo(ErrorCode.DAMAGED_ARCHIVE);
    }
  }

  private static ErrorCode refusal(Path place) {
    return catchThrowableOfType(HoldfastException.class, () -> SnapshotArchive.open(place)).code();
  }

  @Test
  void theTopologyOfALargeNodeIsInItsSnapshot() {
    RecordedNode recorded = throughFile(withCpus(1024), NONE);
    assertThat(NodeTopology.of(recorded).levels().getLast()).hasSize(1024);
    assertThat(NodeTopology.of(recorded).levels().get(1)).hasSize(16);
  }

  @Test
  void aNodeWithMoreCpusThanASnapshotHasRoomForIsRecordedWithoutTopology() {
    RecordedNode recorded = throughFile(withCpus(2048), NONE);
    assertThat(recorded.text("/sys/devices/system/cpu/online")).contains("0-2047");
    assertThat(recorded.text("/sys/devices/system/cpu/cpu0/cache/index3/size")).isEmpty();
  }

  /** Cores with two threads and caches of their own, 32 to a package that shares a third one. */
  private static NodeView withCpus(int count) {
    TestNode node = new TestNode();
    node.file("/sys/devices/system/cpu/online", "0-" + (count - 1));
    for (int cpu = 0; cpu < count; cpu++) {
      String folder = "/sys/devices/system/cpu/cpu" + cpu;
      int core = cpu / 2 * 2;
      int first = cpu / 64 * 64;
      String siblings = core + "-" + (core + 1);
      String together = first + "-" + (first + 63);
      node.file(folder + "/topology/physical_package_id", "" + cpu / 64);
      node.file(folder + "/topology/core_id", "" + core);
      node.file(folder + "/topology/core_cpus_list", siblings);
      node.file(folder + "/topology/thread_siblings_list", siblings);
      node.file(folder + "/topology/package_cpus_list", together);
      for (int index = 0; index < 4; index++) {
        String cache = folder + "/cache/index" + index;
        node.file(cache + "/level", "" + Math.max(1, index));
        node.file(cache + "/type", List.of("Data", "Instruction", "Unified", "Unified").get(index));
        node.file(cache + "/size", "1024K");
        node.file(cache + "/id", "" + cpu);
        node.file(cache + "/shared_cpu_list", index == 3 ? together : siblings);
      }
    }
    return node.node();
  }
}
