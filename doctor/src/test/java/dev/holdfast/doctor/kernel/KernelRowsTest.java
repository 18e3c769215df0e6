package dev.holdfast.doctor.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.kernel.KernelRule;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.testing.TestNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the table says of which check tells a row is so, and the finding is as proven as the row.
 */
class KernelRowsTest {
  static Stream<KernelRule> rows() {
    return KernelRule.entries().stream();
  }

  private static List<Finding> told(Check check, String line) {
    return new TestNode()
            .probe("kernel-log", "[ 1000.000001] " + line + "\n")
            .file("/proc/stat", "btime 1767263400\n")
            .file("/proc/meminfo", "MemTotal: 1000 kB\nHardwareCorrupted: 0 kB\n")
            .nvml("gpu.0.name=NVIDIA H200\ngpu.0.pci.address=0000:3b:00.0")
            .examine(check)
            .findings()
            .stream()
            .filter(it -> it.rowProof().isPresent())
            .toList();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theCheckNamedTellsItAndNoOther(KernelRule row) {
    for (Check check : Checks.all()) {
      List<Finding> told = told(check, row.example());
      if (check.info().id().equals(row.check())) {
        assertThat(told)
            .as(check.info().id())
            .singleElement()
            .satisfies(it -> assertThat(it.rowProof()).contains(row.proof()));
      } else {
        assertThat(told).as(check.info().id()).isEmpty();
      }
    }
  }
}
