package dev.holdfast.doctor.affinity;

import static dev.holdfast.doctor.testing.Answers.finding;
import static dev.holdfast.doctor.testing.Answers.pass;
import static dev.holdfast.doctor.testing.Answers.skip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AffinityTest {
  /** Two NUMA nodes of four CPUs and GPUs, each GPU with a switch of its own. */
  private static final class Node {
    private final TestNode node = new TestNode();
    private final List<String> nvml = new ArrayList<>();

    Node() {
      node.file("/sys/devices/system/cpu/online", "0-7");
      for (int i = 0; i < 2; i++) {
        String folder = "/sys/devices/system/node/node" + i;
        node.file(folder + "/cpulist", i == 0 ? "0-3" : "4-7");
      }
      for (int i = 0; i < 8; i++) {
        String cpu = "/sys/devices/system/cpu/cpu" + i;
        node.file(cpu + "/topology/thread_siblings_list", i / 2 * 2 + "-" + (i / 2 * 2 + 1));
      }
      for (int i = 0; i < 4; i++) {
        function("0000:%d1:00.0".formatted(i), i, "0x030200", "0x10de", true);
        nvml.add("gpu.%d.pci.address=0000:%d1:00.0".formatted(i, i));
        nvml.add("gpu.%d.processes=0".formatted(i));
      }
    }

    private void function(String pci, int bus, String code, String vendor, boolean inSwitch) {
      String folder = "/sys/bus/pci/devices/" + pci;
      String above = inSwitch ? "/0000:%d0:01.0/".formatted(bus) : "/0000:%d0:02.0/".formatted(bus);
      node.file(folder + "/class", code)
          .file(folder + "/vendor", vendor)
          .file(folder + "/device", "0x2330")
          .file(folder + "/numa_node", bus < 2 ? "0" : "1")
          .link(folder, "../../../devices/pci0000:%d0".formatted(bus) + above + pci);
    }

    Node adapter(int number, int bus, boolean inSwitch, String state) {
      String pci = "0000:%d%d:00.0".formatted(bus, 2 + number % 8);
      function(pci, bus, "0x020700", "0x15b3", inSwitch);
      String folder = "/sys/class/infiniband/mlx5_" + number;
      node.file(folder + "/ports/1/state", state).link(folder + "/device", "../../../" + pci);
      return this;
    }

    Node process(int gpu, int number, String cpus) {
      nvml.add("gpu.%d.processes=1".formatted(gpu));
      nvml.add("gpu.%d.process.0.pid=%d".formatted(gpu, number));
      node.file(
          "/proc/" + number + "/status", "Name:\tpython3\nCpus_allowed_list:\t" + cpus + "\n");
      return this;
    }

    CheckResult nearestAdapter() {
      return node.nvml(nvml.toArray(String[]::new)).examine(new NearestAdapter());
    }

    CheckResult rankBinding() {
      return node.nvml(nvml.toArray(String[]::new)).examine(new RankBinding());
    }
  }

  @Test
  void anAdapterBehindEverySwitchIsFine() {
    Node node = new Node();
    for (int i = 0; i < 4; i++) {
      node.adapter(i, i, true, "4: ACTIVE");
    }
    CheckResult result = node.nearestAdapter();
    pass(result);
    assertThat(result.detail()).contains("4 PIX");
  }

  @Test
  void theOneGpuWithoutAnAdapterBehindItsSwitchIsTold() {
    Node node = new Node();
    for (int i = 0; i < 4; i++) {
      node.adapter(i, i, i != 3, "4: ACTIVE");
    }
    Finding finding =
        finding(node.nearestAdapter(), Severity.WARNING, "as 3 other GPUs have; the nearest is");
    assertThat(finding.subject().toString()).contains("gpu/3");
    assertThat(finding.evidence()).anyMatch(evidence -> evidence.value().contains("mlx5_3"));
  }

  @Test
  void anAdapterThatIsDownBehindTheSwitchIsToldElsewhere() {
    Node node = new Node();
    for (int i = 0; i < 4; i++) {
      node.adapter(i, i, true, i == 3 ? "1: DOWN" : "4: ACTIVE");
    }
    pass(node.nearestAdapter());
  }

  @Test
  void aNodeBuiltWithFewAdaptersIsNotJudged() {
    pass(new Node().adapter(0, 0, true, "4: ACTIVE").nearestAdapter());
  }

  @Test
  void withoutActiveAdaptersNothingIsCompared() {
    skip(new Node().nearestAdapter(), "no RDMA device");
    skip(new Node().adapter(0, 0, true, "1: DOWN").nearestAdapter(), "no RDMA port is active");
  }

  @Test
  void ranksBesideTheirGpusAreFine() {
    pass(new Node().process(0, 100, "0-1").process(2, 102, "4-7").rankBinding());
  }

  @Test
  void aRankOnTheOtherSideIsTold() {
    CheckResult result = new Node().process(0, 100, "4-7").process(2, 102, "4-5").rankBinding();
    Finding finding =
        finding(
            result,
            Severity.WARNING,
            "process 100 (python3) is bound to CPUs 4-7, none of them on NUMA node 0");
    assertThat(finding.subject().toString()).contains("gpu/0");
  }

  @Test
  void ranksOfTwoGpusOnOneCoreAreTold() {
    finding(
        new Node().process(0, 100, "0-1").process(1, 101, "0-1").rankBinding(),
        Severity.WARNING,
        "processes of 2 GPUs share one core (CPUs 0-1)");
    pass(new Node().process(0, 100, "0-3").process(1, 101, "0-3").rankBinding());
  }

  @Test
  void unboundRanksAreMentionedOnce() {
    CheckResult result = new Node().process(0, 100, "0-7").process(1, 101, "0-7").rankBinding();
    finding(result, Severity.INFO, "2 of 2 processes on GPUs are bound to no CPUs");
  }

  @Test
  void aProcessOnSeveralGpusIsNearToNoneOfThem() {
    Node node = new Node().process(0, 100, "4-7").process(2, 100, "4-7");
    skip(node.rankBinding(), "no process computes on one GPU");
  }

  @Test
  void garbageInAProcessIsPassedOver() {
    skip(new Node().process(0, 100, "x-y,,").rankBinding(), "no process computes on one GPU");
  }

  @Test
  void aContainerThatNumbersProcessesItselfIsNotJudged() {
    Node node = new Node().process(0, 100, "4-7");
    node.node.probe("identity", "user=0\nprocesses=own\ncontainer=yes\n");
    skip(node.rankBinding(), "container");
  }
}
