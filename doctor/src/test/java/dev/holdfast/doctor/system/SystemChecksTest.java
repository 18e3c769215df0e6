package dev.holdfast.doctor.system;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemChecksTest {
  private static TestNode trains() {
    return new TestNode().file("/sys/module/nvidia/initstate", "live\n");
  }

  @Test
  void anUnsteeredClockIsAWarningAndOneThatIsOffIsWorse() {
    pass(
        new TestNode()
            .probe("clock", "synchronised=yes\noffset.seconds=0.000001\n")
            .examine(new ClockSynchronised()));
    finding(
        new TestNode()
            .probe("clock", "synchronised=no\noffset.seconds=0.0\nstatus=0x40\n")
            .examine(new ClockSynchronised()),
        Severity.WARNING,
        "no time server");
    finding(
        new TestNode()
            .probe("clock", "synchronised=yes\noffset.seconds=-0.25\n")
            .examine(new ClockSynchronised()),
        Severity.DEGRADED,
        "off by -0.250 s");
    skip(new TestNode().probe("clock", "?").examine(new ClockSynchronised()), "unknown");
  }

  @Test
  void theHardLimitOfOpenFilesDecides() {
    String limits = "Max open files            %s                 %s               files\n";
    pass(
        trains()
            .file("/proc/self/limits", limits.formatted("1024", "524288"))
            .examine(new OpenFilesLimit()));
    finding(
        trains()
            .file("/proc/self/limits", limits.formatted("1024", "4096"))
            .examine(new OpenFilesLimit()),
        Severity.WARNING,
        "4096");
    pass(
        trains()
            .file("/proc/self/limits", limits.formatted("unlimited", "unlimited"))
            .examine(new OpenFilesLimit()));
    skip(trains().file("/proc/self/limits", "?").examine(new OpenFilesLimit()), "has no row");
  }

  @Test
  void threadsThatRunOutAreTold() {
    TestNode node =
        new TestNode()
            .file("/proc/self/limits", "Max processes   99999  99999  processes\n")
            .file("/proc/sys/kernel/threads-max", "99999\n")
            .file("/proc/sys/kernel/pid_max", "32768\n");
    pass(node.file("/proc/loadavg", "0 0 0 1/900 5\n").examine(new ProcessesLimit()));
    finding(
        node.file("/proc/loadavg", "0 0 0 1/28000 5\n").examine(new ProcessesLimit()),
        Severity.WARNING,
        "28000 threads of at most 32768");
    finding(
        node.file("/proc/loadavg", "0 0 0 1/32000 5\n").examine(new ProcessesLimit()),
        Severity.DEGRADED,
        "32000");
  }

  @Test
  void theTableOfOpenFilesMayBeUnlimited() {
    pass(
        new TestNode()
            .file("/proc/sys/fs/file-nr", "1321\t0\t9223372036854775807\n")
            .examine(new OpenFiles()));
    finding(
        new TestNode().file("/proc/sys/fs/file-nr", "96\t0\t100\n").examine(new OpenFiles()),
        Severity.DEGRADED,
        "96 of 100");
    skip(new TestNode().file("/proc/sys/fs/file-nr", "x").examine(new OpenFiles()), "known form");
  }

  @Test
  void zombiesAreToldWithTheirParent() {
    String row = "7\tZ\t1\t4242\tpython3\t\t\n";
    finding(
        new TestNode()
            .probe("processes", "total\t3000\nzombies\t1200\n" + row)
            .examine(new Zombies()),
        Severity.WARNING,
        "1200 zombie processes, most of them of parent 4242");
    pass(new TestNode().probe("processes", "total\t30\nzombies\t2\n").examine(new Zombies()));
  }

  @Test
  void aWaitingProcessIsStuckOnlyIfItHasNotMovedSince() {
    TestNode node =
        new TestNode()
            .probe("processes", "total\t9\nzombies\t0\n77\tD\t500\t1\tpython3\t40\tnfs_wait\n");
    skip(node.examine(new StuckProcesses()), "needs history");
    String counter = "process.77.500.switches";
    var found =
        finding(
            node.earlier(Duration.ofMinutes(10), Map.of(counter, 40L))
                .examine(new StuckProcesses()),
            Severity.DEGRADED,
            "python3 has been stuck in the kernel for at least 10 min");
    assertThat(found.evidence()).anyMatch(evidence -> evidence.value().equals("nfs_wait"));
    pass(node.earlier(Duration.ofMinutes(10), Map.of(counter, 39L)).examine(new StuckProcesses()));
    pass(node.earlier(Duration.ofMinutes(2), Map.of(counter, 40L)).examine(new StuckProcesses()));
  }

  @Test
  void failedServicesThatJobsNeedAreToldOneByOne() {
    TestNode node = trains().broken("/run/systemd/system", "is a directory");
    pass(node.probe("units-failed", "").examine(new FailedServices()));
    finding(
        node.probe("units-failed", "slurmd.service loaded failed failed Slurm\n")
            .examine(new FailedServices()),
        Severity.WARNING,
        "slurmd.service has failed");
    finding(
        node.probe("units-failed", "fwupd.service loaded failed failed Firmware\n")
            .examine(new FailedServices()),
        Severity.INFO,
        "fwupd.service");
    skip(new TestNode().examine(new FailedServices()), "systemd does not run here");
  }

  @Test
  void anEnabledSlurmDaemonMustRun() {
    String unit = "/etc/systemd/system/multi-user.target.wants/slurmd.service";
    TestNode node = new TestNode().link(unit, "/usr/lib/systemd/system/slurmd.service");
    finding(
        node.probe("processes", "total\t9\n").examine(new SlurmDaemon()),
        Severity.DEGRADED,
        "slurmd is enabled but does not run");
    pass(node.probe("processes", "total\t9\n8\tS\t1\t1\tslurmd\t\t\n").examine(new SlurmDaemon()));
    skip(new TestNode().examine(new SlurmDaemon()), "nothing of this kind");
  }

  @Test
  void aDueRebootMattersWhenItIsForTheKernelOrTheDriver() {
    TestNode node = trains().file("/run/reboot-required", "*** System restart required ***\n");
    finding(
        node.file("/run/reboot-required.pkgs", "linux-image-6.8.0-90-generic\n")
            .examine(new RebootRequired()),
        Severity.WARNING,
        "reboot is due");
    finding(
        node.file("/run/reboot-required.pkgs", "dbus\n").examine(new RebootRequired()),
        Severity.INFO,
        "reboot is due");
    pass(trains().file("/etc/debian_version", "12\n").examine(new RebootRequired()));
  }

  @Test
  void theModulesOfTheRunningKernelMustBeInstalled() {
    TestNode node =
        trains()
            .file("/proc/sys/kernel/osrelease", "6.8.0-85\n")
            .file("/proc/modules", "nvidia 1\n");
    pass(node.file("/lib/modules/6.8.0-85/modules.dep", "x").examine(new KernelModules()));
    finding(
        trains()
            .file("/proc/sys/kernel/osrelease", "6.8.0-85\n")
            .file("/proc/modules", "nvidia 1\n")
            .file("/lib/modules/6.8.0-90/modules.dep", "x")
            .examine(new KernelModules()),
        Severity.WARNING,
        "6.8.0-85 are gone");
    skip(
        new TestNode().file("/proc/sys/kernel/osrelease", "6\n").examine(new KernelModules()),
        "nothing of this kind");
  }

  @Test
  void whereProcessesAreHiddenNothingIsSaidOfThem() {
    TestNode node =
        new TestNode()
            .probe("processes", "total\t3\nzombies\t0\n")
            .file("/proc/self/mountinfo", "22 1 0:21 / /proc rw - proc proc rw,hidepid=2\n");
    skip(node.probe("identity", "user=1000\n").examine(new Zombies()), "hidepid");
    pass(node.probe("identity", "user=0\ncapabilities=CAP_SYS_PTRACE\n").examine(new Zombies()));
  }
}
