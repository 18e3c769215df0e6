package dev.holdfast.doctor.kernel;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelChecksTest {
  private static final String LOCKUP =
      "<0>[%s.000000] watchdog: BUG: soft lockup - CPU#12 stuck for 22s! [kworker/12:1:345]\n";

  /** The node booted ten days before its time of 2026-01-01T12:00:00Z. */
  private static TestNode log(String text) {
    return new TestNode()
        .file("/proc/stat", "btime 1766404800\n")
        .file("/proc/uptime", "864000.25 1.0\n")
        .probe("kernel-log", text);
  }

  @Test
  void aQuietLogPassesAndAForbiddenOneIsSkippedWithTheSameWords() {
    for (Check check :
        List.of(
            new MachineCheck(),
            new Lockup(),
            new Oops(),
            new HungTask(),
            new OutOfMemory(),
            new LibraryCrash(),
            new LogStorm())) {
      pass(log("<6>[ 1.000000] hello\n").examine(check));
      skip(
          new TestNode().denied("probe/kernel-log", "needs CAP_SYSLOG").examine(check),
          "needs CAP_SYSLOG");
    }
  }

  @Test
  void aLockupIsFatalTodayAndAWarningAfterADay() {
    var today =
        finding(log(LOCKUP.formatted("863000")).examine(new Lockup()), Severity.FATAL, "12");
    assertThat(today.since()).contains(Instant.parse("2026-01-01T11:43:20Z"));
    finding(log(LOCKUP.formatted("500000")).examine(new Lockup()), Severity.WARNING, "ago");
  }

  @Test
  void aPausedVirtualMachineIsOnlyWarnedOf() {
    finding(
        log(LOCKUP.formatted("863000"))
            .file(
                "/sys/devices/system/clocksource/clocksource0/available_clocksource",
                "kvm-clock tsc\n")
            .examine(new Lockup()),
        Severity.WARNING,
        "Soft lockup");
  }

  @Test
  void aStormOfOneKindIsOneFinding() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append(
          "<3>[%d.000000] INFO: task python3:%d blocked for more than 122 seconds.\n"
              .formatted(863000 + i, i));
    }
    finding(log(text.toString()).examine(new HungTask()), Severity.DEGRADED, "500 lines");
  }

  @Test
  void oneCorrectedMachineCheckIsOnlyWorthKnowing() {
    String line = "<4>[%d.000000] mce: [Hardware Error]: Machine check events logged\n";
    finding(log(line.formatted(863000)).examine(new MachineCheck()), Severity.INFO, "Corrected");
    finding(
        log(line.formatted(863000).repeat(12)).examine(new MachineCheck()),
        Severity.WARNING,
        "12 lines");
    finding(
        log("<0>[9.000000] mce: [Hardware Error]: CPU 4: Machine Check Exception: 5 Bank 3: be00\n")
            .examine(new MachineCheck()),
        Severity.FATAL,
        "Machine check exception");
  }

  @Test
  void theKernelRemembersFaultsThatTheLogForgot() {
    pass(new TestNode().file("/proc/sys/kernel/tainted", "12289\n").examine(new Taint()));
    finding(
        new TestNode().file("/proc/sys/kernel/tainted", "128\n").examine(new Taint()),
        Severity.DEGRADED,
        "oops");
    skip(new TestNode().file("/proc/sys/kernel/tainted", "x").examine(new Taint()), "not readable");
  }

  @Test
  void aRecordOfAPanicIsDatedByItsName() {
    TestNode root = new TestNode().probe("identity", "capabilities=CAP_DAC_READ_SEARCH\n");
    finding(
        root.file("/sys/fs/pstore/dmesg-efi_pstore-176726591301001", "Panic#1")
            .examine(new Panic()),
        Severity.DEGRADED,
        "2026-01-01T11:11:53");
    finding(
        new TestNode().file("/sys/fs/pstore/dmesg-erst-7", "Panic#1").examine(new Panic()),
        Severity.WARNING,
        "earlier boot");
    skip(new TestNode().examine(new Panic()), "only by root");
    pass(
        new TestNode()
            .probe("identity", "capabilities=CAP_DAC_READ_SEARCH\n")
            .broken("/sys/fs/pstore", "is a directory")
            .examine(new Panic()));
  }

  @Test
  void aFloodIsToldWithItsKindAndBootIsNone() {
    StringBuilder flood = new StringBuilder();
    for (int i = 0; i < 1500; i++) {
      flood.append("<6>[%d.000000] driver: message %d\n".formatted(863500 + i / 4, i));
    }
    var found =
        finding(log(flood.toString()).examine(new LogStorm()), Severity.WARNING, "1500 lines");
    assertThat(found.evidence().getFirst().value()).startsWith("driver: message");
    skip(
        log(flood.toString()).file("/proc/uptime", "900.0 1\n").examine(new LogStorm()),
        "booted less than");
  }
}
