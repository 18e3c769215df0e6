package dev.holdfast.doctor.affinity;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.RdmaDevices;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.topology.NodeTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether each GPU has an RDMA adapter behind its own PCIe switch, where the node is built that
 * way: most of its GPUs have one. A node with fewer adapters than switches is built otherwise and
 * not judged; an adapter whose port is down is told by another check.
 */
public final class NearestAdapter implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "affinity.nic",
              "Has every GPU an RDMA adapter behind its own PCIe switch, if most have?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/bus/pci/devices",
              "/sys/class/infiniband/*/device",
              "/sys/class/infiniband/*/ports/*/state",
              "/proc/net/route")
          .meaning(
              "Traffic of this GPU passes through the processor, often to an adapter that belongs to"
                  + " another GPU. In a collective every rank waits for the slowest.")
          .remedy(
              "Compare the slots of the adapters with those of a good node: nvidia-smi topo -m."
                  + " Look for an adapter that is missing, was moved or is not active");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    RdmaDevices.require(exam.node());
    exam.accelerators().require();
    Topology machine = NodeTopology.outline(exam.node(), exam.accelerators());
    List<Device> adapters = machine.devices(Device.Kind.NIC);
    List<Device> usable = adapters.stream().filter(NearestAdapter::usable).toList();
    List<Device> gpus = machine.gpus();
    if (gpus.size() < 2 || usable.isEmpty()) {
      throw new Unavailable(
          gpus.size() < 2 ? "fewer than two GPUs: nothing to compare" : "no RDMA port is active");
    }
    List<Device> far = new ArrayList<>();
    TreeMap<Link, Integer> links = new TreeMap<>();
    for (Device gpu : gpus) {
      Link link = machine.link(gpu, nearest(machine, gpu, usable));
      links.merge(link, 1, Integer::sum);
      if (!link.switched()) {
        far.add(gpu);
      }
    }
    if (far.size() * 2 < gpus.size()) {
      far.stream()
          .filter(gpu -> adapters.stream().noneMatch(nic -> machine.link(gpu, nic).switched()))
          .forEach(gpu -> tell(exam, machine, gpu, usable, gpus.size() - far.size()));
    }
    exam.pass("nearest RDMA adapter of the GPUs: " + describe(links));
  }

  /** Active, and not the interface the node's own traffic goes over. */
  private static boolean usable(Device adapter) {
    return adapter.fact("state").orElse("").equals("ACTIVE")
        && adapter.fact("defaultRoute").isEmpty();
  }

  private static Device nearest(Topology machine, Device gpu, List<Device> adapters) {
    return adapters.stream()
        .min((one, other) -> machine.link(gpu, one).compareTo(machine.link(gpu, other)))
        .orElseThrow();
  }

  private static void tell(
      Examination exam, Topology machine, Device gpu, List<Device> usable, int others) {
    Device nic = nearest(machine, gpu, usable);
    Link link = machine.link(gpu, nic);
    Optional<String> idle = alone(machine, usable);
    var draft =
        exam.warning(
                exam.here().gpu(Integer.parseInt(gpu.id())),
                "no RDMA adapter behind its PCIe switch, as %d other GPUs have; the nearest is %s"
                    .formatted(others, nic.name()))
            .evidence(
                gpu.pci() + " to " + nic.pci() + " (" + nic.name() + ")",
                link.word() + ": " + link.meaning());
    idle.ifPresent(names -> draft.evidence("adapters behind no GPU's switch", names));
  }

  /** The adapters that are behind no GPU's switch: storage networks, or one in the wrong slot. */
  private static Optional<String> alone(Topology machine, List<Device> usable) {
    List<String> names =
        usable.stream()
            .filter(nic -> machine.gpus().stream().noneMatch(g -> machine.link(g, nic).switched()))
            .map(Device::name)
            .toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
  }

  private static String describe(TreeMap<Link, Integer> links) {
    return String.join(
        ", ",
        links.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey().word())
            .toList());
  }
}
