package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether every RoCE rail has a routable RoCE v2 address, at the same index as its siblings.
 *
 * <p>A port without an IP address may simply be unused; it is a fault only where its siblings have
 * one.
 */
public final class NicGidIndex implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.gid.index",
              "Has every RoCE rail a RoCE v2 address, at the same index?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/gids/*",
              "/sys/class/infiniband/*/ports/*/gid_attrs/types/*")
          .meaning(
              "NCCL connects through one index of the address table (NCCL_IB_GID_INDEX) on all"
                  + " rails. A rail without a RoCE v2 address there cannot connect, or sends packets"
                  + " that no router forwards: the job hangs at start.")
          .remedy(
              "Give the interface its IP address (ip -br address; netplan apply); leave"
                  + " NCCL_IB_GID_INDEX unset with NCCL 2.21 or later, which finds the index itself");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    for (List<RdmaPort> kind : RdmaDevices.kinds(RdmaDevices.requireEthernet(exam.node()))) {
      Map<RdmaPort, Integer> indexes = new TreeMap<>((a, b) -> a.name().compareTo(b.name()));
      for (RdmaPort port : kind) {
        RoceAddress.of(port).stream()
            .filter(RoceAddress::routable)
            .findFirst()
            .ifPresent(address -> indexes.put(port, address.index()));
      }
      if (indexes.isEmpty()) {
        exam.skip("no RoCE port has an IP address");
      } else {
        judge(exam, kind, indexes);
      }
    }
  }

  private static void judge(Examination exam, List<RdmaPort> kind, Map<RdmaPort, Integer> indexes) {
    List<RdmaPort> with = List.copyOf(indexes.keySet());
    Optional<Integer> usual = RdmaDevices.majority(with, indexes::get);
    boolean comparable = kind.size() >= 3 && with.size() * 2 > kind.size();
    int fine = 0;
    for (RdmaPort port : kind) {
      Integer index = indexes.get(port);
      if (index == null && comparable) {
        exam.degraded(port.subject(), "no RoCE v2 address, while its siblings have one")
            .evidence(port.path("gids"), RoceAddress.of(port))
            .evidence("siblings with an address", with.size() + " of " + kind.size());
      } else if (index != null && comparable && usual.isPresent() && !usual.get().equals(index)) {
        exam.warning(
                port.subject(),
                "its RoCE v2 address has index %d; most rails have it at %d"
                    .formatted(index, usual.get()))
            .evidence(port.path("gids/" + index), port.text("gids/" + index).orElse(""))
            .evidence("most rails", "index " + usual.get());
      } else if (index != null) {
        fine++;
      }
    }
    if (fine > 0) {
      exam.pass(
          (fine == 1 ? "1 port" : fine + " ports")
              + " with a RoCE v2 address"
              + usual.map(i -> " at index " + i).orElse(""));
    }
  }
}
