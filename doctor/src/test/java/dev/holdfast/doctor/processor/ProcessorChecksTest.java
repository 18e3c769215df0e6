package dev.holdfast.doctor.processor;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorChecksTest {
  private static final String CPU = "/sys/devices/system/cpu/";
  private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/";

  private static TestNode trains() {
    return new TestNode().file("/sys/module/nvidia/initstate", "live\n");
  }

  private static TestNode governed(TestNode node, String driver, String governor) {
    return node.file(CPU + "cpufreq/policy0/scaling_driver", driver)
        .file(CPU + "cpufreq/policy0/scaling_governor", governor);
  }

  @Test
  void powersaveIsSlowUnderAnOrdinaryDriverOnly() {
    finding(
        governed(trains(), "acpi-cpufreq\n", "powersave\n").examine(new Governor()),
        Severity.WARNING,
        "power-saving");
    pass(governed(trains(), "intel_pstate\n", "powersave\n").examine(new Governor()));
    finding(
        governed(trains(), "intel_pstate\n", "powersave\n")
            .file(CPU + "cpufreq/policy0/energy_performance_preference", "power\n")
            .examine(new Governor()),
        Severity.WARNING,
        "power-saving");
  }

  @Test
  void aLaptopMaySavePower() {
    finding(
        governed(new TestNode(), "acpi-cpufreq", "powersave").examine(new Governor()),
        Severity.INFO,
        "power-saving");
  }

  @Test
  void aMachineWithoutFrequencyControlIsSkipped() {
    skip(new TestNode().examine(new Governor()), "nothing of this kind");
    skip(new TestNode().examine(new FrequencyCap()), "nothing of this kind");
  }

  @Test
  void aCapIsToldWithItsValue() {
    TestNode node = trains().file(CPU + "cpufreq/policy0/cpuinfo_max_freq", "3800000\n");
    finding(
        node.file(CPU + "cpufreq/policy0/scaling_max_freq", "2000000\n")
            .examine(new FrequencyCap()),
        Severity.WARNING,
        "2.00 GHz of 3.80 GHz");
    pass(
        node.file(CPU + "cpufreq/policy0/scaling_max_freq", "3800000\n")
            .examine(new FrequencyCap()));
  }

  @Test
  void switchedOffTurboIsTold() {
    finding(
        trains().file(CPU + "intel_pstate/no_turbo", "1\n").examine(new FrequencyCap()),
        Severity.WARNING,
        "turbo is switched off");
  }

  @Test
  void processorsNeverPluggedInAreNotOffline() {
    TestNode virtual =
        new TestNode()
            .file(CPU + "present", "0-1\n")
            .file(CPU + "online", "0-1\n")
            .file(CPU + "offline", "2-239\n");
    pass(virtual.examine(new OfflineProcessors()));
  }

  @Test
  void offlineProcessorsAreToldUnlessTheyAreSecondThreadsSwitchedOff() {
    TestNode node = new TestNode().file(CPU + "present", "0-7\n").file(CPU + "smt/control", "on\n");
    finding(
        node.file(CPU + "online", "0-2,4-7\n").examine(new OfflineProcessors()),
        Severity.WARNING,
        "1 of 8");
    pass(
        node.file(CPU + "online", "0-3\n")
            .file(CPU + "smt/control", "off\n")
            .examine(new OfflineProcessors()));
    skip(new TestNode().file(CPU + "present", "x").examine(new OfflineProcessors()), "not a list");
  }

  @Test
  void coresWithUnequalThreadsAreToldButNotOfHybridProcessors() {
    TestNode node =
        new TestNode()
            .file(CPU + "online", "0-2\n")
            .file(CPU + "cpu0/topology/thread_siblings_list", "0,2\n")
            .file(CPU + "cpu2/topology/thread_siblings_list", "0,2\n")
            .file(CPU + "cpu1/topology/thread_siblings_list", "1\n");
    finding(node.examine(new HardwareThreads()), Severity.WARNING, "cores differ");
    skip(
        node.file("/sys/devices/cpu_atom/cpus", "1\n").examine(new HardwareThreads()),
        "nothing of this kind");
  }

  @Test
  void aSlowClockIsToldAndThoseOfVirtualMachinesAreFine() {
    TestNode slow = trains().file(CLOCK + "current_clocksource", "hpet\n");
    finding(slow.examine(new ClockSource()), Severity.DEGRADED, "hpet");
    for (String fast : new String[] {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page"}) {
      pass(new TestNode().file(CLOCK + "current_clocksource", fast).examine(new ClockSource()));
    }
  }

  @Test
  void throttlingIsARate() {
    TestNode node = trains().file(CPU + "cpu0/thermal_throttle/core_throttle_count", "90\n");
    skip(node.examine(new ThermalThrottle()), "needs history");
    finding(
        node.earlier(Duration.ofMinutes(30), Map.of("processor.throttle", 10L))
            .examine(new ThermalThrottle()),
        Severity.DEGRADED,
        "80 times in 30 min");
    pass(
        node.earlier(Duration.ofMinutes(30), Map.of("processor.throttle", 90L))
            .examine(new ThermalThrottle()));
    finding(
        new TestNode()
            .file(CPU + "cpu0/thermal_throttle/core_throttle_count", "9000\n")
            .earlier(Duration.ofMinutes(30), Map.of("processor.throttle", 10L))
            .examine(new ThermalThrottle()),
        Severity.WARNING,
        "8990 times");
  }

  @Test
  void whereThrottlingIsNotCountedTheLogIsNoPass() {
    String log = "<4>[ 9.0] mce: CPU12: Core temperature above threshold, cpu clock throttled\n";
    finding(
        trains().probe("kernel-log", log).examine(new ThermalThrottle()),
        Severity.DEGRADED,
        "throttled for heat");
  }

  @Test
  void aBusyNodeIsNoFindingUntilThreadsWait() {
    TestNode node =
        new TestNode().file(CPU + "online", "0-1\n").file("/proc/loadavg", "9 8.00 7 5/900 1\n");
    pass(
        node.file("/proc/pressure/cpu", "some avg10=0 avg60=0 avg300=12.00 total=1\n")
            .examine(new Load()));
    finding(
        node.file("/proc/pressure/cpu", "some avg10=0 avg60=0 avg300=93.00 total=1\n")
            .examine(new Load()),
        Severity.WARNING,
        "8.0 threads for 2 processors");
  }

  @Test
  void aContainerWithoutSysfsIsToldOnce() {
    for (Check check : List.of(new HardwareThreads(), new OfflineProcessors(), new ClockSource())) {
      skip(new TestNode().examine(check), "/sys is not visible here");
    }
  }

  @Test
  void listsOfProcessorsRoundTrip() {
    assertThat(ProcessorList.parse("0-3,8,10-11").orElseThrow()).hasToString("0-3,8,10-11");
    assertThat(ProcessorList.parse("").orElseThrow().size()).isZero();
    assertThat(ProcessorList.parse("3-1")).isEmpty();
    assertThat(ProcessorList.parse("0-999999999")).isEmpty();
  }
}
