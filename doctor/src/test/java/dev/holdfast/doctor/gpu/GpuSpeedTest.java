package dev.holdfast.doctor.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GpuSpeedTest {
  private static CheckResult ask(Check check, String... facts) {
    return new TestNode()
        .nvml("gpu.0.name=NVIDIA H100 80GB HBM3\n" + String.join("\n", facts))
        .examine(check);
  }

  /** Four equal GPUs with these facts, of which device 2 has others. */
  private static CheckResult four(Check check, String usual, String odd) {
    String facts =
        IntStream.range(0, 4)
            .mapToObj(
                index ->
                    ("name=NVIDIA H100 80GB HBM3 " + (index == 2 ? odd : usual))
                        .replaceAll("(^| )(?=[a-z]+[.=])", "\ngpu." + index + "."))
            .collect(Collectors.joining("\n"));
    return new TestNode().nvml(facts).examine(check);
  }

  private static Severity severity(CheckResult result) {
    return result.findings().getFirst().severity();
  }

  @Test
  void idlingAndThePowerLimitAreNormal() {
    assertThat(ask(new GpuThrottle(), "gpu.0.throttle.words=idle").outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(ask(new GpuThrottle(), "gpu.0.throttle.words=power-cap").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void heatAndThePowerBrakeAreNot() {
    assertThat(severity(ask(new GpuThrottle(), "gpu.0.throttle.words=power-cap,power-brake")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(severity(ask(new GpuThrottle(), "gpu.0.throttle.words=software-thermal")))
        .isEqualTo(Severity.WARNING);
    CheckResult laptop =
        new TestNode()
            .nvml("gpu.0.name=NVIDIA GeForce RTX 4060", "gpu.0.throttle.words=hardware-slowdown")
            .examine(new GpuThrottle());
    assertThat(severity(laptop)).isEqualTo(Severity.WARNING);
  }

  @Test
  void slowMinutesInThePastAreToldFromTheCounters() {
    String fact = "violation.hardware.thermal.nanoseconds";
    TestNode node =
        new TestNode()
            .nvml("gpu.0.throttle.words=none", "gpu.0." + fact + "=400000000000")
            .earlier(Duration.ofMinutes(10), Map.of("gpu/0/" + fact, 0L));
    assertThat(severity(node.examine(new GpuThrottle()))).isEqualTo(Severity.DEGRADED);
  }

  @Test
  void temperatureIsJudgedByTheMarginWhereThereIsOne() {
    GpuTemperature check = new GpuTemperature();
    String off = "gpu.0.temperature.margin.shutdown.celsius=-8";
    assertThat(ask(check, "gpu.0.temperature.margin.celsius=51", off).outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(severity(ask(check, "gpu.0.temperature.margin.celsius=0", off)))
        .isEqualTo(Severity.DEGRADED);
    assertThat(severity(ask(check, "gpu.0.temperature.margin.celsius=-6", off)))
        .isEqualTo(Severity.FATAL);
  }

  @Test
  void temperatureIsJudgedByLimitsElsewhere() {
    GpuTemperature check = new GpuTemperature();
    String limit = "gpu.0.temperature.limit.maximum.celsius=85";
    assertThat(ask(check, "gpu.0.temperature.core.celsius=60", limit).outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(severity(ask(check, "gpu.0.temperature.core.celsius=85", limit)))
        .isEqualTo(Severity.DEGRADED);
    assertThat(
            ask(
                    check,
                    "gpu.0.temperature.core.celsius=60",
                    "gpu.0.temperature.limit.maximum.celsius=0")
                .outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void aClockSetBelowItsDefaultIsDegraded() {
    GpuApplicationClock check = new GpuApplicationClock();
    String usual = "gpu.0.clock.graphics.default.mhz=1980";
    assertThat(severity(ask(check, usual, "gpu.0.clock.graphics.application.mhz=1410")))
        .isEqualTo(Severity.DEGRADED);
    assertThat(ask(check, usual, "gpu.0.clock.graphics.application.mhz=1980").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void theSlowOneUnderLoadIsFoundAndIdleOnesAreNotCompared() {
    GpuClockDeficit check = new GpuClockDeficit();
    CheckResult result =
        four(
            check,
            "clock.sm.mhz=1755 utilisation.percent=99",
            "clock.sm.mhz=1200 utilisation.percent=99");
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/gpu/2");
    assertThat(
            four(
                    check,
                    "clock.sm.mhz=345 utilisation.percent=0",
                    "clock.sm.mhz=1980 utilisation.percent=0")
                .outcome())
        .isEqualTo(Outcome.SKIP);
  }

  @Test
  void aLowerPowerLimitOnAllMayBeMeantOnOneItIsNot() {
    GpuPowerLimit check = new GpuPowerLimit();
    String full = "power.enforced.watts=700 power.default.watts=700";
    String less = "power.enforced.watts=500 power.default.watts=700";
    assertThat(four(check, full, full).outcome()).isEqualTo(Outcome.PASS);
    assertThat(severity(four(check, full, less))).isEqualTo(Severity.DEGRADED);
    CheckResult all = four(check, less, less);
    assertThat(all.findings()).hasSize(4);
    assertThat(severity(all)).isEqualTo(Severity.WARNING);
  }
}
