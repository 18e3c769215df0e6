package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Machines that are well must not light up, and broken answers must not break a check. */
class GpuFalseAlarmTest {
  static Stream<Check> checks() {
    return Checks.all().stream().filter(check -> check.info().group().equals("gpu"));
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aDesktopCardIsNoFinding(Check check) {
    CheckResult result =
        new TestNode()
            .nvml(
                "gpu.0.name=NVIDIA GeForce RTX 4090",
                "gpu.0.pci.address=0000:01:00.0",
                "gpu.0.pci.device=0x268410de",
                "gpu.0.architecture=ada",
                "gpu.0.ecc.mode.current=disabled",
                "gpu.0.ecc.mode.pending=disabled",
                "gpu.0.persistence=disabled",
                "gpu.0.compute.mode=default",
                "gpu.0.memory.total.bytes=25757220864",
                "gpu.0.memory.used.bytes=900000000",
                "gpu.0.bar1.total.bytes=268435456",
                "gpu.0.processes=0",
                "gpu.0.throttle.words=idle",
                "gpu.0.pci.width.current=16",
                "gpu.0.pci.width.maximum=16",
                "gpu.0.pci.generation.current=1",
                "gpu.0.pci.generation.maximum=4",
                "gpu.0.pci.generation.slot=3",
                "gpu.0.utilisation.percent=2",
                "gpu.0.temperature.core.celsius=41",
                "gpu.0.nvlink!=NOT_SUPPORTED",
                "gpu.0.fabric.state!=NOT_SUPPORTED")
            .examine(check);
    assertThat(result.findings()).isEmpty();
  }

  /** As nvidia-smi -q told of an H200 handed to a virtual machine alone. */
  @ParameterizedTest
  @MethodSource("checks")
  void aLoneGpuOfAVirtualMachineIsNoFinding(Check check) {
    String links =
        IntStream.range(0, 18)
            .mapToObj(link -> "gpu.0.nvlink." + link + ".state=inactive")
            .collect(Collectors.joining("\n"));
    CheckResult result =
        new TestNode()
            .nvml(
                "driver.version=580.159.04",
                "gpu.count=1",
                "gpu.0.name=NVIDIA H200",
                "gpu.0.pci.address=0000:00:06.0",
                "gpu.0.pci.device=0x233510de",
                "gpu.0.architecture=hopper",
                "gpu.0.virtualisation=pass-through",
                "gpu.0.persistence=enabled",
                "gpu.0.ecc.mode.current=enabled",
                "gpu.0.ecc.mode.pending=enabled",
                "gpu.0.ecc.volatile.corrected.dram=0",
                "gpu.0.ecc.volatile.uncorrected.dram=0",
                "gpu.0.remapped.failure=false",
                "gpu.0.remapped.pending=false",
                "gpu.0.remapped.histogram.none=0",
                "gpu.0.recovery.action=none",
                "gpu.0.fabric.state!=NOT_SUPPORTED",
                "gpu.0.memory.total.bytes=150754820096",
                "gpu.0.memory.used.bytes=0",
                "gpu.0.processes=0",
                "gpu.0.bar1.total.bytes=274877906944",
                "gpu.0.temperature.core.celsius=36",
                "gpu.0.temperature.margin.celsius=51",
                "gpu.0.temperature.margin.shutdown.celsius=-8",
                "gpu.0.power.enforced.watts=700",
                "gpu.0.power.default.watts=700",
                "gpu.0.clock.graphics.application.mhz=1980",
                "gpu.0.clock.graphics.default.mhz=1980",
                "gpu.0.throttle.words=idle",
                "gpu.0.pci.width.current=16",
                "gpu.0.pci.width.maximum=16",
                "gpu.0.pci.generation.current=5",
                "gpu.0.pci.generation.slot=5",
                "gpu.0.pci.replays=0",
                links)
            .probe("kernel-log", "<6>[    0.000000] Linux version 6.8.0\n")
            .examine(check);
    assertThat(result.findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("checks")
  void garbageFromTheLibraryIsNoFindingAndNoCrash(Check check) {
    Random random = new Random(7);
    List<String> names =
        List.of(
            "name",
            "serial",
            "pci.address",
            "minor",
            "processes",
            "fabric.state",
            "nvlink.0.state");
    List<String> values =
        List.of("", "NaN", "-1", "0x", "99999999999999999999", "\u0001?", "true=", "0xzz");
    for (int round = 0; round < 50; round++) {
      StringBuilder facts = new StringBuilder();
      for (int line = 0; line < 40; line++) {
        String key = names.get(random.nextInt(names.size()));
        facts.append("gpu.").append(random.nextInt(3)).append('.').append(key).append('=');
        facts.append(values.get(random.nextInt(values.size()))).append('\n');
      }
      facts.append("gpu.99999999999.name=x\ngpu..name=y\ngpu.-1.name=z\n=\n");
      CheckResult result = new TestNode().nvml(facts.toString()).examine(check);
      assertThat(result.detail()).doesNotContain("HF-1901");
      assertThat(result.findings()).noneMatch(finding -> finding.severity() == Severity.DEGRADED);
    }
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aNodeWithoutAnyAcceleratorIsSkipped(Check check) {
    CheckResult result =
        new TestNode()
            .probe("nvml", "library.present=false\nlibrary.error=no NVIDIA driver\n")
            .probe("kernel-log", "<6>[    0.000000] Linux version 6.8.0\n")
            .examine(check);
    assertThat(result.findings()).isEmpty();
    assertThat(result.outcome()).isEqualTo(dev.holdfast.core.health.Outcome.SKIP);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void aLaptopWithHalfTheLanesWiredDoesNotFail(Check check) {
    CheckResult result =
        new TestNode()
            .nvml(
                "gpu.0.name=NVIDIA GeForce RTX 4070 Laptop GPU",
                "gpu.0.pci.address=0000:01:00.0",
                "gpu.0.pci.device=0x286010de",
                "gpu.0.pci.width.current=8",
                "gpu.0.pci.width.maximum=16")
            .examine(check);
    assertThat(result.findings()).allMatch(finding -> finding.severity() == Severity.INFO);
  }
}
