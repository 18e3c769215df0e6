package dev.holdfast.doctor.container;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerChecksTest {
  private static final String GROUP = "/sys/fs/cgroup/job/step/";

  private static TestNode container() {
    return new TestNode().probe("identity", "container=yes\nprocesses=own\n");
  }

  private static TestNode group() {
    return new TestNode().file("/proc/self/cgroup", "0::/job/step\n");
  }

  private static TestNode first(String caught, String blocked) {
    return container()
        .file("/proc/1/status", "Name:\tbash\nSigBlk:\t" + blocked + "\nSigCgt:\t" + caught + "\n");
  }

  @Test
  void aShellAsFirstProcessDoesNotHearTermButAnInitDoes() {
    finding(
        first("0000000000010002", "0000000000010000").examine(new FirstProcess()),
        Severity.WARNING,
        "PID 1 (bash)");
    pass(first("0000000000004002", "0000000000000000").examine(new FirstProcess()));
    pass(first("0000000000000000", "fffffffe7ffbfeff").examine(new FirstProcess()));
    skip(first("what", "0").examine(new FirstProcess()), "does not tell");
  }

  @Test
  void theHostsInitIsNobodysBusiness() {
    skip(
        new TestNode()
            .probe("identity", "container=yes\nprocesses=host\n")
            .examine(new FirstProcess()),
        "nothing of this kind");
  }

  @Test
  void theNearestMemoryLimitCountsAndCacheDoesNot() {
    TestNode node =
        group()
            .file(GROUP + "memory.max", "max\n")
            .file("/sys/fs/cgroup/job/memory.max", "1000000\n")
            .file("/sys/fs/cgroup/job/memory.current", "970000\n");
    finding(node.examine(new MemoryLimit()), Severity.DEGRADED, "(97 %) in use");
    pass(
        node.file("/sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 900000\n")
            .examine(new MemoryLimit()));
    pass(
        node.file("/sys/fs/cgroup/job/memory.stat", "anon 1\nactive_file 900000\n")
            .examine(new MemoryLimit()));
    pass(group().file(GROUP + "memory.max", "max\n").examine(new MemoryLimit()));
  }

  @Test
  void theFirstVersionOfControlGroupsIsUnderstood() {
    TestNode node =
        new TestNode()
            .file("/proc/self/cgroup", "4:memory:/job\n2:cpu,cpuacct:/job\n")
            .file("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000\n")
            .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
            .file("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "920000\n")
            .file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    finding(node.examine(new MemoryLimit()), Severity.WARNING, "(92 %) in use");
    pass(node.examine(new ProcessorQuota()));
  }

  @Test
  void processesKilledForTheLimitAreToldWhenTheyAreNew() {
    finding(
        group()
            .file(GROUP + "memory.max", "1000000\n")
            .file(GROUP + "memory.current", "10\n")
            .file(GROUP + "memory.events", "oom 3\noom_kill 3\n")
            .earlier(Duration.ofMinutes(5), Map.of("container.oom./sys/fs/cgroup/job/step", 1L))
            .examine(new MemoryLimit()),
        Severity.WARNING,
        "2 processes were killed");
  }

  @Test
  void aQuotaThatStopsThreadsIsARate() {
    TestNode node =
        group()
            .file(GROUP + "cpu.max", "400000 100000\n")
            .file(GROUP + "cpu.stat", "nr_periods 2000\nnr_throttled 900\n");
    skip(node.examine(new ProcessorQuota()), "needs history");
    finding(
        node.earlier(
                Duration.ofMinutes(2),
                Map.of(
                    "container.periods./sys/fs/cgroup/job/step", 1000L,
                    "container.throttled./sys/fs/cgroup/job/step", 400L))
            .examine(new ProcessorQuota()),
        Severity.WARNING,
        "50 %");
    pass(group().file(GROUP + "cpu.max", "max 100000\n").examine(new ProcessorQuota()));
  }

  @Test
  void aNearLimitOfProcessesIsTold() {
    TestNode node = group().file(GROUP + "pids.max", "100\n");
    finding(
        node.file(GROUP + "pids.current", "97\n").examine(new ProcessesQuota()),
        Severity.DEGRADED,
        "97 threads of at most 100");
    pass(node.file(GROUP + "pids.current", "7\n").examine(new ProcessesQuota()));
    skip(group().examine(new ProcessesQuota()), "nothing of this kind");
    skip(new TestNode().examine(new ProcessesQuota()), "cgroup");
  }

  @Test
  void userNamespacesMatterWhereEnrootIs() {
    TestNode node = new TestNode().file("/etc/enroot/enroot.conf", "x\n");
    finding(
        node.file("/proc/sys/user/max_user_namespaces", "0\n").examine(new UserNamespaces()),
        Severity.DEGRADED,
        "forbidden");
    TestNode apparmor =
        new TestNode()
            .file("/etc/enroot/enroot.conf", "x\n")
            .file("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
    finding(apparmor.examine(new UserNamespaces()), Severity.WARNING, "AppArmor");
    pass(apparmor.file("/etc/apparmor.d/enroot", "profile\n").examine(new UserNamespaces()));
    skip(new TestNode().examine(new UserNamespaces()), "nothing of this kind");
  }

  @Test
  void slurmMustHaveLoadedPyxisAndEnrootMustBeNewEnough() {
    TestNode node =
        new TestNode()
            .file("/etc/slurm/plugstack.conf.d/pyxis.conf", "required x\n")
            .probe("slurm-version", "slurm 25.05.3\n")
            .probe("enroot-version", "4.0.1\n");
    pass(node.probe("slurm-options", "  --container-image=X\n").examine(new RuntimeVersions()));
    finding(
        node.probe("slurm-options", "Usage: srun\n").examine(new RuntimeVersions()),
        Severity.DEGRADED,
        "slurm 25.05.3 does not load pyxis");
    finding(
        node.probe("slurm-options", "  --container-image=X\n")
            .probe("enroot-version", "3.0.2\n")
            .examine(new RuntimeVersions()),
        Severity.DEGRADED,
        "too old");
  }
}
