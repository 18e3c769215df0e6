package dev.holdfast.core.topology.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which adapters are for GPUs, and what is said of those that are not. */
class RailAdaptersTest {
  @Test
  void storageAdaptersAreLeftAlone() {
    Topology machine =
        RailFixture.hgx()
            .nic(0, "", "mlx5_8", Map.of("rateGbps", "400"))
            .nic(-1, "", "mlx5_9", Map.of("rateGbps", "400"))
            .build();
    assertThat(unused(machine))
        .containsExactly(
            "mlx5_8: storage or management: PHB to the nearest GPU while every GPU has a nearer"
                + " adapter on its switch",
            "mlx5_9: storage or management: in an unknown place while other adapters share a"
                + " switch with one");
  }

  @Test
  void anAdapterFartherDownTheSwitchIsForStorageUnlessEveryGpuHasOne() {
    String head = "GPU0 GPU1 mlx5_0 mlx5_1 mlx5_2 %s CPU Affinity NUMA Affinity\n";
    Topology three =
        TopologyReader.read(
            head.formatted("")
                + """
                GPU0 X NV18 PIX PXB PXB 0-7 0
                GPU1 NV18 X PXB PIX PXB 0-7 0
                mlx5_0 PIX PXB X PXB PXB
                mlx5_1 PXB PIX PXB X PXB
                mlx5_2 PXB PXB PXB PXB X
                """);
    assertThat(unused(three))
        .containsExactly(
            "mlx5_2: storage or management: PXB to the nearest GPU while every GPU has a nearer"
                + " adapter on its switch");
    Topology four =
        TopologyReader.read(
            head.formatted("mlx5_3")
                + """
                GPU0 X NV18 PIX PXB PXB PXB 0-7 0
                GPU1 NV18 X PXB PIX PXB PXB 0-7 0
                mlx5_0 PIX PXB X PXB PXB PXB
                mlx5_1 PXB PIX PXB X PXB PXB
                mlx5_2 PXB PXB PXB PXB X PXB
                mlx5_3 PXB PXB PXB PXB PXB X
                """);
    assertThat(unused(four)).isEmpty();
    assertThat(RailFixture.nics(RailMatch.plan(four, RailRequest.of(2), Optional.empty())))
        .containsExactly("mlx5_0+mlx5_2", "mlx5_1+mlx5_3");
  }

  @Test
  void anAdapterNearGpusWithoutASwitchIsTheirs() {
    Topology machine =
        new RailFixture(2, 8, 1)
            .gpu(0, "s0", 0)
            .nic(0, "s0", "mlx5_0", Map.of())
            .gpu(1, "", 1)
            .nic(1, "", "mlx5_1", Map.of())
            .build();
    assertThat(unused(machine)).isEmpty();
  }

  @Test
  void slowAdaptersAreLeftOutAndSlowRailsMoved() {
    Topology machine =
        new RailFixture(1, 8, 1)
            .gpu(0, "s0", 0)
            .nic(0, "s0", "mlx5_0", Map.of("rateGbps", "100"))
            .gpu(0, "s1", 1)
            .nic(0, "s1", "mlx5_1", Map.of("rateGbps", "400"))
            .gpu(0, "s2", 2)
            .nic(0, "s2", "mlx5_2", Map.of("rateGbps", "200"))
            .build();
    assertThat(unused(machine)).containsExactly("mlx5_0: slower than the others: 100 of 400 Gb/s");
    assertThat(RailFixture.nics(RailMatch.plan(machine, RailRequest.of(3), Optional.empty())))
        .containsExactly("mlx5_1", "mlx5_1", "mlx5_2");
  }

  @Test
  void theDefaultRouteIsAvoidedUnlessAGpuWouldMissIt() {
    RailFixture node =
        new RailFixture(2, 8, 1)
            .gpu(0, "", 0)
            .gpu(1, "", 1)
            .nic(0, "", "mlx5_0", Map.of("defaultRoute", "true"))
            .nic(1, "", "mlx5_1", Map.of());
    assertThat(unused(node.build())).isEmpty();
    node.nic(0, "", "mlx5_2", Map.of());
    assertThat(unused(node.build())).containsExactly("mlx5_0: carries the default route");
  }

  @Test
  void virtualFunctionsAndOtherFabricsAreLeftOut() {
    Topology machine =
        new RailFixture(1, 8, 1)
            .gpu(0, "", 0)
            .nic(0, "", "mlx5_0", Map.of("linkLayer", "InfiniBand"))
            .nic(0, "", "mlx5_1", Map.of("linkLayer", "Ethernet"))
            .nic(0, "", "mlx5_2", Map.of("virtualFunction", "true"))
            .build();
    assertThat(unused(machine))
        .containsExactly(
            "mlx5_1: Ethernet, while other adapters are InfiniBand",
            "mlx5_2: virtual function of another adapter");
  }

  @Test
  void aGuestThatSeesOnlyVirtualFunctionsUsesThem() {
    Topology machine =
        new RailFixture(1, 8, 1)
            .gpu(0, "", 0)
            .nic(-1, "", "mlx5_0", Map.of("virtualFunction", "true", "defaultRoute", "true"))
            .build();
    assertThat(unused(machine)).isEmpty();
  }

  @Test
  void portStatesOfHwlocAndOfTheKernelCount() {
    Topology machine =
        new RailFixture(1, 8, 1)
            .gpu(0, "", 0)
            .nic(0, "", "mlx5_0", Map.of("Port1State", "1"))
            .nic(0, "", "mlx5_1", Map.of("Port1State", "4"))
            .nic(0, "", "mlx5_2", Map.of("state", "2: INIT"))
            .nic(0, "", "mlx5_3", Map.of("state", "4: ACTIVE"))
            .build();
    assertThat(unused(machine))
        .containsExactly("mlx5_0: port is not active", "mlx5_2: port is INIT");
  }

  @Test
  void theUserHasTheLastWord() {
    Topology machine = RailFixture.hgx().nic(1, "", "mlx5_8", Map.of("rateGbps", "25")).build();
    RailPlan only =
        RailMatch.plan(
            machine,
            new RailRequest(8, 0, 0, Set.of("mlx5_8", "mlx5_0"), Set.of()),
            Optional.empty());
    assertThat(only.ncclHcas()).containsExactlyInAnyOrder("mlx5_0", "mlx5_8");
    RailPlan without =
        RailMatch.plan(
            machine, new RailRequest(8, 0, 0, Set.of(), Set.of("mlx5_3")), Optional.empty());
    assertThat(without.nics().get(3).why()).isEqualTo("excluded by the user");
    RailRequest unknown = new RailRequest(8, 0, 0, Set.of("mlx5_77"), Set.of());
    assertThatThrownBy(() -> RailMatch.plan(machine, unknown, Optional.empty()))
        .hasMessageContaining("there is no adapter mlx5_77; this machine has mlx5_0, ");
  }

  @Test
  void everyAdapterDownIsSaid() {
    Topology machine =
        new RailFixture(1, 8, 1)
            .gpu(0, "", 0)
            .nic(0, "", "mlx5_0", Map.of("state", "DOWN"))
            .build();
    RailPlan plan = RailMatch.plan(machine, RailRequest.of(1), Optional.empty());
    assertThat(plan.tasks().getFirst().nics()).isEmpty();
    assertThat(plan.notes()).anyMatch(note -> note.startsWith("none of the 1 adapters is usable"));
  }

  @Test
  void adaptersOfLibfabricAreNotNamedToNccl() {
    Topology machine =
        new RailFixture(1, 8, 1).gpu(0, "", 0).nic(0, "", "rdmap16s27", Map.of()).build();
    RailPlan plan = RailMatch.plan(machine, RailRequest.of(1), Optional.empty());
    assertThat(plan.ncclIbHca()).isEmpty();
    assertThat(plan.notes()).anyMatch(note -> note.contains("libfabric"));
  }

  private static List<String> unused(Topology machine) {
    return RailMatch.plan(machine, RailRequest.of(1), Optional.empty()).nics().stream()
        .filter(nic -> !nic.usable())
        .map(nic -> nic.name() + ": " + nic.why())
        .toList();
  }
}
