package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SysfsTopologyTest {
  private static final String RDMA = "/sys/class/infiniband/";
  private static final String NET = "/sys/class/net/";

  private static FakeMachine twoSockets() {
    return Shape.of(2, 1, 1, 4, 1).build();
  }

  private static Device device(Topology machine, String name) {
    return machine.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + machine.devices()));
  }

  private static FakeMachine gpu(FakeMachine machine, String address, int node) {
    String bus = "pci" + address.substring(0, address.length() - 5);
    return machine
        .pci(address, 0x030200, "10de", "nvidia", bus)
        .near(address, node, node < 0 ? IdSet.range(0, 7) : IdSet.range(4 * node, 4 * node + 3));
  }

  private static FakeMachine adapter(FakeMachine machine, String address, String name) {
    return machine
        .pci(address, 0x020000, "15b3", "mlx5_core", "pci0000:00")
        .near(address, 0, IdSet.range(0, 3))
        .symbolicLink(RDMA + name + "/device", "../../../" + address)
        .file(RDMA + name + "/ports/1/state", "4: ACTIVE")
        .file(RDMA + name + "/ports/1/link_layer", "Ethernet")
        .file(RDMA + name + "/ports/1/rate", "200 Gb/sec (4X HDR)");
  }

  @Test
  void gpusAreNumberedInTheOrderOfTheirAddressesAcrossDomains() {
    FakeMachine machine = twoSockets();
    gpu(machine, "10000:01:00.0", 0);
    gpu(machine, "0002:00:00.0", 0);
    gpu(machine, "0001:00:00.0", 1);
    Topology topology = SysfsTopology.read(machine);
    assertThat(device(topology, "GPU0").pci()).isEqualTo("0001:00:00.0");
    assertThat(device(topology, "GPU1").pci()).isEqualTo("0002:00:00.0");
    assertThat(device(topology, "GPU2").pci()).isEqualTo("10000:01:00.0");
    assertThat(device(topology, "GPU0").anchor().cpus()).isEqualTo(IdSet.range(4, 7));
  }

  @Test
  void aGpuGivenToAVirtualMachineHasNoNumber() {
    FakeMachine machine = gpu(twoSockets(), "0000:02:00.0", 0);
    machine.pci("0000:01:00.0", 0x030200, "10de", "vfio-pci", "pci0000:00");
    Topology topology = SysfsTopology.read(machine);
    assertThat(topology.gpus()).hasSize(1);
    assertThat(device(topology, "GPU0").pci()).isEqualTo("0000:02:00.0");
    assertThat(topology.details().notes()).anyMatch(note -> note.contains("vfio-pci"));
  }

  @Test
  void theDriverTellsModelAndIdentityOfAGpu() {
    FakeMachine machine = gpu(twoSockets(), "0000:02:00.0", 0);
    machine.file(
        "/proc/driver/nvidia/gpus/0000:02:00.0/information",
        "Model: \t\t NVIDIA H100\nIRQ:   0\nGPU UUID: \t GPU-1234\n");
    Device gpu = device(SysfsTopology.read(machine), "GPU0");
    assertThat(gpu.fact("model")).contains("NVIDIA H100");
    assertThat(gpu.fact("uuid")).contains("GPU-1234");
    assertThat(gpu.part().name()).isEqualTo("nvml0");
  }

  @Test
  void acceleratorsOfAmdAreNumberedToo() {
    FakeMachine machine = twoSockets();
    machine.pci("0000:05:00.0", 0x120000, "1002", "amdgpu", "pci0000:00");
    machine.file(SysfsPci.FOLDER + "/0000:05:00.0/unique_id", "e53a7b0cd1f20001");
    Device gpu = device(SysfsTopology.read(machine), "GPU0");
    assertThat(gpu.part().name()).isEqualTo("rsmi0");
    assertThat(gpu.fact("uuid")).contains("GPU-e53a7b0cd1f20001");
  }

  @Test
  void numbersToldByTheLibraryCountMoreThanTheOrder() {
    FakeMachine machine = gpu(gpu(twoSockets(), "0000:01:00.0", 0), "0000:02:00.0", 0);
    Topology topology =
        SysfsTopology.read(
            machine, Map.of("0000:02:00.0", new ManagedGpu("NVML", 0, Map.of("uuid", "GPU-9"))));
    assertThat(topology.gpus()).extracting(Device::pci).containsExactly("0000:02:00.0");
    assertThat(topology.gpus().getFirst().fact("uuid")).contains("GPU-9");
  }

  @Test
  void anRdmaDeviceTellsItsPortAndItsInterfaces() {
    FakeMachine machine = adapter(twoSockets(), "0000:03:00.0", "mlx5_0");
    machine.symbolicLink(NET + "ens3/device", "../../../0000:03:00.0");
    Device nic = device(SysfsTopology.read(machine), "mlx5_0");
    assertThat(nic.kind()).isEqualTo(Device.Kind.NIC);
    assertThat(nic.fact("state")).contains("ACTIVE");
    assertThat(nic.fact("linkLayer")).contains("Ethernet");
    assertThat(nic.fact("rateGbps")).contains("200");
    assertThat(nic.fact("netDevices")).contains("ens3");
    assertThat(nic.fact("defaultRoute")).isEmpty();
  }

  @Test
  void ofTwoPortsTheActiveOneTells() {
    FakeMachine machine =
        adapter(twoSockets(), "0000:03:00.0", "mlx5_0")
            .file(RDMA + "mlx5_0/ports/1/state", "1: DOWN")
            .file(RDMA + "mlx5_0/ports/2/state", "4: ACTIVE")
            .file(RDMA + "mlx5_0/ports/2/rate", "400 Gb/sec (4X NDR)");
    Device nic = device(SysfsTopology.read(machine), "mlx5_0");
    assertThat(nic.fact("state")).contains("ACTIVE");
    assertThat(nic.fact("rateGbps")).contains("400");
  }

  @Test
  void theDefaultRouteIsFollowedThroughABondToTheAdapter() {
    FakeMachine machine = adapter(twoSockets(), "0000:03:00.0", "mlx5_0");
    machine.symbolicLink(NET + "ens3/device", "../../../0000:03:00.0");
    machine.symbolicLink(NET + "bond0/lower_ens3", "../ens3");
    machine.file(
        "/proc/net/route",
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\n"
            + "bond0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\n"
            + "ens9\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\n");
    assertThat(device(SysfsTopology.read(machine), "mlx5_0").fact("defaultRoute")).contains("true");
  }

  @Test
  void aDefaultRouteOfIpv6CountsAndTheOneOfTheLoopbackDoesNot() {
    FakeMachine machine = adapter(twoSockets(), "0000:03:00.0", "mlx5_0");
    machine.symbolicLink(NET + "ens3/device", "../../../0000:03:00.0");
    String zero = "0".repeat(32);
    String row = zero + " 00 " + zero + " 00 " + zero + " 00000400 00000001 00000000 00000003 ";
    machine.file("/proc/net/ipv6_route", row + "lo\n");
    assertThat(device(SysfsTopology.read(machine), "mlx5_0").fact("defaultRoute")).isEmpty();
    machine.file("/proc/net/ipv6_route", row + "lo\n" + row + "ens3\n");
    assertThat(device(SysfsTopology.read(machine), "mlx5_0").fact("defaultRoute")).contains("true");
  }

  @Test
  void aVirtualFunctionSaysSo() {
    FakeMachine machine = adapter(twoSockets(), "0000:03:00.1", "mlx5_1");
    machine.symbolicLink(SysfsPci.FOLDER + "/0000:03:00.1/physfn", "../0000:03:00.0");
    assertThat(device(SysfsTopology.read(machine), "mlx5_1").fact("virtualFunction"))
        .contains("true");
  }

  @Test
  void drivesHaveTheNameOfTheirFirstNamespaceEvenWithSeveralPaths() {
    FakeMachine machine =
        twoSockets()
            .pci("0000:04:00.0", 0x010802, "144d", "nvme", "pci0000:00")
            .symbolicLink("/sys/class/nvme/nvme0/device", "../../../0000:04:00.0")
            .file("/sys/class/nvme/nvme0/nvme0c0n1/size", "1")
            .pci("0000:05:00.0", 0x010802, "144d", "nvme", "pci0000:00")
            .symbolicLink("/sys/class/nvme/nvme1/device", "../../../0000:05:00.0")
            .file("/sys/class/nvme/nvme1/nvme1n1/size", "1")
            .file("/sys/class/nvme/nvme1/nvme1n2/size", "1");
    assertThat(SysfsTopology.read(machine).devices(Device.Kind.NVME))
        .extracting(Device::name)
        .containsExactly("nvme0n1", "nvme1n1");
  }

  @Test
  void devicesNobodyPlacesHangFromTheMachineAndAreNoted() {
    FakeMachine machine = gpu(gpu(twoSockets(), "0000:01:00.0", -1), "0000:81:00.0", 1);
    Topology topology = SysfsTopology.read(machine);
    Device lost = device(topology, "GPU0");
    assertThat(lost.anchor()).isSameAs(topology.root());
    assertThat(topology.link(lost, device(topology, "GPU1"))).isEqualTo(Link.UNKNOWN);
    assertThat(topology.details().notes())
        .anyMatch(note -> note.contains("NUMA node") && note.contains("0000:01:00.0"));
  }

  @Test
  void twoAdaptersBehindOneSwitchAreNearerThanThoseOfOneHostBridge() {
    String[] inSwitch = {"pci0000:10", "0000:10:01.0", "0000:11:00.0"};
    FakeMachine machine =
        twoSockets()
            .bridge("0000:10:01.0", 0x11, 0x14, "pci0000:10")
            .bridge("0000:11:00.0", 0x12, 0x14, "pci0000:10", "0000:10:01.0")
            .pci("0000:12:00.0", 0x030200, "10de", "nvidia", inSwitch)
            .pci("0000:13:00.0", 0x030200, "10de", "nvidia", inSwitch)
            .pci("0000:20:00.0", 0x030200, "10de", "nvidia", "pci0000:10", "0000:10:02.0");
    Topology topology = SysfsTopology.read(machine);
    Device one = device(topology, "GPU0");
    assertThat(topology.link(one, device(topology, "GPU1"))).isEqualTo(Link.PIX);
    assertThat(topology.link(one, device(topology, "GPU2"))).isEqualTo(Link.PHB);
  }

  @Test
  void offlineCpusAndEmptyNodesAreNoted() {
    FakeMachine machine =
        Shape.of(2, 1, 1, 4, 1).withOffline(IdSet.of(3)).withEmptyNodes(1).build();
    Topology topology = SysfsTopology.read(machine);
    assertThat(topology.cpus()).isEqualTo(IdSet.parse("0-2,4-7"));
    assertThat(topology.details().notes())
        .anyMatch(note -> note.contains("CPUs 3 are offline"))
        .anyMatch(note -> note.contains("NUMA node 2 has no CPUs"));
    assertThat(topology.details().distances().get(0)).isEqualTo(List.of(10, 32, 17));
  }

  @Test
  void aMachineThatTellsOnlyItsCpusIsOneNodeOfThem() {
    Topology topology =
        SysfsTopology.read(new FakeMachine().cpus(IdSet.range(0, 3), IdSet.range(0, 3)));
    assertThat(topology.levels()).hasSize(2);
    assertThat(topology.numaNodes()).hasSize(1);
  }

  @Test
  void aMachineThatTellsNoCpusIsRefusedWithTheFile() {
    assertThatThrownBy(() -> SysfsTopology.read(new FakeMachine()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/sys/devices/system/cpu/online");
  }

  @Test
  void garbageIsNotedAndLeftOut() {
    FakeMachine machine = twoSockets();
    machine.file("/sys/devices/system/cpu/cpu0/topology/core_cpus_list", "x-y");
    machine.file("/sys/devices/system/cpu/cpu1/cache/index2/shared_cpu_list", "99999999");
    machine.file("/sys/devices/system/node/node0/distance", "10 ten");
    machine.file(SysfsPci.FOLDER + "/nonsense/class", "0x030200");
    machine.file(SysfsPci.FOLDER + "/0000:01:00.0/class", "what");
    Topology topology = SysfsTopology.read(machine);
    assertThat(topology.details().notes())
        .anyMatch(note -> note.contains("core_cpus_list"))
        .anyMatch(note -> note.contains("shared_cpu_list"));
    assertThat(topology.details().distances()).isEmpty();
    assertThat(topology.levels().getLast()).hasSize(8);
    assertThat(topology.devices()).isEmpty();
  }

  @Test
  void aCacheAcrossTwoPackagesIsLeftOutWithANote() {
    FakeMachine machine = twoSockets().cache(3, 3, "Unified", "1K", IdSet.range(2, 5));
    Topology topology = SysfsTopology.read(machine);
    assertThat(topology.details().notes()).anyMatch(note -> note.contains("crosses"));
    assertThat(topology.levels().getLast()).hasSize(8);
  }
}
