package dev.holdfast.doctor.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.gpu.GpuEccUncorrected;
import dev.holdfast.doctor.memory.MemoryAvailable;
import dev.holdfast.doctor.testing.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 1, 1);
  private static final List<CheckInfo> KNOWN = Checks.all().stream().map(Check::info).toList();

  private static Configuration parse(String entry) {
    return Configuration.parse(
        "holdfast.yaml", "doctor:\n  overrides:\n    - {" + entry + "}\n", KNOWN, TODAY);
  }

  @Test
  void aLimitIsChangedForTheNamedNodesOnly() {
    String override =
        "check: memory.available, nodes: 'n[1-4]', limits: {least: 1}, reason: tiny,"
            + " expires: 2026-06-30";
    TestNode node =
        new TestNode().file("/proc/meminfo", "MemTotal: 8000 kB\nMemAvailable: 4096 kB\n");
    assertThat(node.examine(new MemoryAvailable()).outcome()).isEqualTo(Outcome.FAIL);
    node.site(parse(override).site(Expectation.NONE, TODAY));
    assertThat(node.examine(new MemoryAvailable()).outcome()).isEqualTo(Outcome.PASS);
    node.site(parse(override.replace("n[1-4]", "n[2-4]")).site(Expectation.NONE, TODAY));
    assertThat(node.examine(new MemoryAvailable()).outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void aSuppressedFindingIsOnlyInformationAndSaysWhy() {
    Site site =
        parse("check: gpu.*, model: H100, suppress: true, reason: RMA 12, expires: 2026-06-30")
            .site(Expectation.NONE, TODAY);
    TestNode node =
        new TestNode()
            .nvml("gpu.0.name=NVIDIA H100", "gpu.0.ecc.volatile.uncorrected.dram=1")
            .site(site);
    var finding = node.examine(new GpuEccUncorrected()).findings().getFirst();
    assertThat(finding.severity()).isEqualTo(Severity.INFO);
    assertThat(finding.summary()).contains("RMA 12", "2026-06-30");
  }

  @Test
  void anExpiredOverrideIsToldAndNotApplied() {
    Configuration configuration =
        parse("check: gpu.*, severity: warning, reason: old, expires: 2025-12-31");
    assertThat(configuration.overrides()).isEmpty();
    assertThat(configuration.notes()).hasSize(1);
    assertThat(configuration.notes().getFirst()).contains("holdfast.yaml:3", "expired", "old");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chek: gpu.* | did you mean 'check'",
        "check: gpu.*, suppress: true, expires: 2026-06-30 | needs 'reason'",
        "check: gpu.*, suppress: true, reason: x | needs 'expires'",
        "check: gpu.*, suppress: true, reason: x, expires: soon | expected a day",
        "check: gpu.*, suppress: true, reason: '', expires: 2026-06-30 | value is missing",
        "check: gpu.*, reason: x, expires: 2026-06-30 | changes something",
        "check: gpu.ecc.uncorrectd, suppress: true, reason: x, expires: 2026-06-30 | did you mean 'gpu.ecc.uncorrected'",
        "check: gqu.*, suppress: true, reason: x, expires: 2026-06-30 | no check is in the group",
        "check: memory.available, limits: {last: 1}, reason: x, expires: 2026-06-30 | did you mean 'least'",
        "check: memory.available, limits: {least: lots}, reason: x, expires: 2026-06-30 | expected a number",
        "check: gpu.*, limits: {least: 1}, reason: x, expires: 2026-06-30 | belong to one check",
        "check: gpu.*, severity: awful, reason: x, expires: 2026-06-30 | expected one of",
        "check: gpu.*, severity: info, suppress: true, reason: x, expires: 2026-06-30 | not both",
        "check: gpu.*, suppress: true, nodes: 'n[', reason: x, expires: 2026-06-30 | host list 'n['"
      })
  void whateverIsNotRightIsAnErrorWithItsPlace(String entry, String part) {
    assertThatThrownBy(() -> parse(entry))
        .isInstanceOfSatisfying(
            HoldfastException.class,
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
              assertThat(error.detail()).startsWith("holdfast.yaml:3: ").contains(part);
            });
  }

  @Test
  void aPersonsFileStandsBeforeTheMachines(@TempDir Path folder) throws IOException {
    String text =
        "doctor:\n  overrides:\n  - {check: memory.available, limits: {least: %d}, reason: r,"
            + " expires: 2026-06-30}\n";
    Path machine = Files.writeString(folder.resolve("machine.yaml"), text.formatted(1));
    Path person = Files.writeString(folder.resolve("person.yaml"), text.formatted(2));
    Path empty = Files.writeString(folder.resolve("empty.yaml"), "# nothing yet\n");
    Configuration loaded = Configuration.load(List.of(machine, person, empty), KNOWN, TODAY);
    assertThat(loaded.overrides())
        .extracting(override -> override.limits().get("least"))
        .containsExactly(2.0, 1.0);
    assertThat(Configuration.load(List.of(), KNOWN, TODAY).overrides()).isEmpty();
  }

  @Test
  void unknownSectionsAreErrors() {
    assertThatThrownBy(() -> Configuration.parse("f", "doktor: {}\n", KNOWN, TODAY))
        .hasMessageContaining("f:1: doktor: unknown key 'doktor' (did you mean 'doctor'?)");
  }
}
