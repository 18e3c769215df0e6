package dev.holdfast.doctor.memory;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryChecksTest {
  private static final String EDAC = "/sys/devices/system/edac/mc/";
  private static final String NODES = "/sys/devices/system/node/";

  private static TestNode memory(String... rows) {
    return new TestNode()
        .file("/proc/meminfo", "MemTotal: 1048576 kB\n" + String.join("\n", rows) + "\n");
  }

  private static TestNode module(TestNode node, int corrected, int uncorrected) {
    return node.file(EDAC + "mc0/dimm3/dimm_ce_count", corrected + "\n")
        .file(EDAC + "mc0/dimm3/dimm_ue_count", uncorrected + "\n")
        .file(EDAC + "mc0/dimm3/dimm_label", "DIMM_B2\n");
  }

  @Test
  void anUncorrectedErrorIsFatalAndNamesTheModuleOnce() {
    TestNode node =
        module(memory("HardwareCorrupted: 0 kB"), 0, 1)
            .probe(
                "kernel-log", "<0>[ 10.000000] EDAC MC0: 1 UE memory read error on DIMM_B2 (x)\n");
    Finding found =
        finding(node.examine(new UncorrectedErrors()), Severity.FATAL, "1 uncorrected error on");
    assertThat(found.subject()).hasToString("node/n1/memory/DIMM_B2");
    assertThat(found.evidence()).hasSize(2);
  }

  @Test
  void withoutCountersTheLogAndTheKernelsOwnCountStillTell() {
    finding(
        memory("HardwareCorrupted: 4 kB").examine(new UncorrectedErrors()),
        Severity.DEGRADED,
        "gave up 4 KiB");
    finding(
        memory("HardwareCorrupted: 0 kB")
            .probe("kernel-log", "<0>[ 10.000000] EDAC MC0: 1 UE memory read error on X (y)\n")
            .examine(new UncorrectedErrors()),
        Severity.FATAL,
        "Uncorrected memory error");
    pass(memory("HardwareCorrupted: 0 kB").examine(new UncorrectedErrors()));
    skip(memory().examine(new UncorrectedErrors()), "nothing of this kind");
  }

  @Test
  void correctedErrorsAreARateAndNoneIsSoundWithoutHistory() {
    pass(module(new TestNode(), 0, 0).examine(new CorrectedErrors()));
    skip(module(new TestNode(), 70, 0).examine(new CorrectedErrors()), "needs history");
    Map<String, Long> before = Map.of("memory.corrected.mc0.dimm3", 10L);
    finding(
        module(new TestNode(), 70, 0)
            .earlier(Duration.ofHours(4), before)
            .examine(new CorrectedErrors()),
        Severity.WARNING,
        "60 corrected errors on DIMM_B2 in 4 h");
    finding(
        module(new TestNode(), 9000, 0)
            .earlier(Duration.ofHours(1), before)
            .examine(new CorrectedErrors()),
        Severity.DEGRADED,
        "8990 corrected errors");
  }

  @Test
  void fragmentationAddsUpZonesAndIsWorseUnderAlways() {
    String row = "Node 0, zone   Normal 900 800 700 600 50 4 3 2 1 0 0\n";
    TestNode node = new TestNode().file("/proc/buddyinfo", row);
    finding(node.examine(new Fragmentation()), Severity.WARNING, "the largest is 1 MiB");
    finding(
        node.file(TransparentHugePages.ENABLED, "[always] madvise never")
            .examine(new Fragmentation()),
        Severity.DEGRADED,
        "NUMA node 0");
    pass(
        node.file("/proc/buddyinfo", row + "Node 0, zone    DMA32 0 0 0 0 0 0 0 0 0 0 7\n")
            .examine(new Fragmentation()));
    finding(
        new TestNode()
            .file("/proc/buddyinfo", "Node 0, zone   Normal 900 800 0 0 0 0 0 0 0 0 0\n")
            .examine(new Fragmentation()),
        Severity.DEGRADED,
        "the largest is 8 KiB");
    skip(new TestNode().file("/proc/buddyinfo", "?\n").examine(new Fragmentation()), "no rows");
    skip(new TestNode().examine(new Fragmentation()), "buddyinfo");
  }

  @Test
  void reservedHugePagesNobodyUsesAreTold() {
    TestNode node = memory("HugePages_Total: 200", "HugePages_Free: 200", "Hugepagesize: 2048 kB");
    finding(node.examine(new ReservedHugePages()), Severity.WARNING, "400 MiB");
    pass(
        memory("HugePages_Total: 200", "HugePages_Free: 0", "Hugepagesize: 2048 kB")
            .examine(new ReservedHugePages()));
    skip(memory().examine(new ReservedHugePages()), "has no row");
  }

  @Test
  void swapIsToldWhenItIsUsedNotWhenItIsThere() {
    pass(memory("SwapTotal: 8388608 kB", "SwapFree: 8388608 kB").examine(new SwapUse()));
    finding(
        memory("SwapTotal: 8388608 kB", "SwapFree: 4194304 kB").examine(new SwapUse()),
        Severity.WARNING,
        "4 GiB of memory are swapped out");
  }

  @Test
  void dockersDefaultSharedMemoryIsTooSmallAndTheFixIsTheContainers() {
    TestNode node =
        memory()
            .probe("identity", "container=yes\nprocesses=own\n")
            .probe("filesystems", "/dev/shm\tshm\ttmpfs\tok\t67108864\t67108864\t0\t0\n");
    Finding found = finding(node.examine(new SharedMemory()), Severity.DEGRADED, "64 MiB");
    assertThat(found.remedy()).contains("--shm-size");
  }

  @Test
  void halfOfASmallMachinesMemoryIsEnoughSharedMemory() {
    pass(
        memory()
            .probe("filesystems", "/dev/shm\ttmpfs\ttmpfs\tok\t536870912\t536870912\t0\t0\n")
            .examine(new SharedMemory()));
    skip(memory().probe("filesystems", "").examine(new SharedMemory()), "no file system");
    skip(memory().examine(new SharedMemory()), "was not recorded");
  }

  @Test
  void aFullSharedMemoryIsToldWithWhatToRemove() {
    CheckResult result =
        memory()
            .probe("filesystems", "/dev/shm\ttmpfs\ttmpfs\tok\t8589934592\t1048576\t0\t0\n")
            .examine(new SharedMemory());
    assertThat(finding(result, Severity.DEGRADED, "100 % full").remedy()).contains("rm /dev/shm");
  }

  @Test
  void strictAccountingIsToldWhenItLimitsBelowMemory() {
    TestNode node = memory("CommitLimit: 524288 kB", "Committed_AS: 1000 kB");
    finding(
        node.file("/proc/sys/vm/overcommit_memory", "2\n").examine(new Overcommit()),
        Severity.WARNING,
        "512 MiB");
    pass(node.file("/proc/sys/vm/overcommit_memory", "0\n").examine(new Overcommit()));
  }

  @Test
  void pressureIsToldWhenEverythingWaits() {
    String full =
        "some avg10=1 avg60=30.00 avg300=1 total=1\nfull avg10=1 avg60=%s avg300=0 total=1\n";
    finding(
        new TestNode()
            .file("/proc/pressure/memory", full.formatted("12.50"))
            .examine(new MemoryPressure()),
        Severity.DEGRADED,
        "12.5 %");
    pass(
        new TestNode()
            .file("/proc/pressure/memory", full.formatted("0.10"))
            .examine(new MemoryPressure()));
  }

  private static TestNode sockets(long first, long second) {
    return new TestNode()
        .file(NODES + "node0/cpulist", "0-3\n")
        .file(NODES + "node0/meminfo", "Node 0 MemTotal: " + first + " kB\n")
        .file(NODES + "node1/cpulist", "4-7\n")
        .file(NODES + "node1/meminfo", "Node 1 MemTotal: " + second + " kB\n");
  }

  @Test
  void aSocketWithLessMemoryIsToldAndOneOfAGpuIsNot() {
    pass(sockets(1000000, 990000).examine(new NumaImbalance()));
    finding(sockets(1000000, 875000).examine(new NumaImbalance()), Severity.WARNING, "node1");
    finding(sockets(1000000, 0).examine(new NumaImbalance()), Severity.DEGRADED, "no memory");
    pass(
        sockets(1000000, 1000000)
            .file(NODES + "node2/cpulist", "\n")
            .file(NODES + "node2/meminfo", "Node 2 MemTotal: 96000 kB\n")
            .examine(new NumaImbalance()));
  }

  @Test
  void balancingMattersOnTrainingNodesWithSeveralSockets() {
    TestNode node = sockets(10, 10).file("/proc/sys/kernel/numa_balancing", "1\n");
    finding(node.examine(new NumaBalancing()), Severity.INFO, "is on");
    finding(
        node.file("/sys/module/nvidia/initstate", "live").examine(new NumaBalancing()),
        Severity.WARNING,
        "is on");
    pass(node.file("/proc/sys/kernel/numa_balancing", "0\n").examine(new NumaBalancing()));
    finding(
        sockets(10, 10).file("/proc/sys/vm/zone_reclaim_mode", "1\n").examine(new ZoneReclaim()),
        Severity.WARNING,
        "zone reclaim");
  }

  @Test
  void largePagesAndTheMemoryOfAGpuAreNoFragmentation() {
    String row = "Node 0, zone   Normal 900 800 700 600 50 4 0 0 0 0 0 0 0 0\n";
    TestNode grace =
        new TestNode()
            .file("/proc/buddyinfo", row + "Node 1, zone  Movable 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n")
            .file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "536870912\n")
            .file("/sys/devices/system/node/node0/cpulist", "0-71\n")
            .file("/sys/devices/system/node/node1/cpulist", "\n");
    pass(grace.examine(new Fragmentation()));
    finding(
        grace
            .file("/proc/buddyinfo", "Node 0, zone   Normal 900 800 700 600 50 0 0 0 0 0 0\n")
            .examine(new Fragmentation()),
        Severity.WARNING,
        "the largest is 1 MiB");
  }
}
