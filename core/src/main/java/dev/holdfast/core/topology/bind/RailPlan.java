package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which rank gets which GPUs, adapters, cores and memory, and what that is worth.
 *
 * @param nics every adapter of the node, and why one is not used
 * @param notes what was odd about the machine or the request and what was done about it
 * @param problems what is wrong with the present binding, each with its remedy; empty where none
 *     was given
 * @param before the score of the present binding; of ranks that are not bound where none was given
 */
public record RailPlan(
    List<TaskBinding> tasks,
    List<RailNic> nics,
    List<String> notes,
    List<String> problems,
    Score before,
    Score after) {
  public RailPlan {
    tasks = List.copyOf(tasks);
    nics = List.copyOf(nics);
    notes = List.copyOf(notes);
    problems = List.copyOf(problems);
  }

  /**
   * The adapters for traffic between GPUs in the order of the ranks; empty where software would not
   * know them by the names we have.
   */
  public List<String> ncclHcas() {
    Set<Device> ordered = new LinkedHashSet<>();
    tasks.forEach(task -> ordered.addAll(task.nics()));
    nics.stream().filter(RailNic::usable).map(RailNic::device).forEach(ordered::add);
    boolean named = ordered.stream().allMatch(nic -> unfit(nic).isEmpty());
    return named ? ordered.stream().map(Device::name).toList() : List.of();
  }

  /**
   * What {@code NCCL_IB_HCA} is to be, on every rank the same: NCCL builds its rings from what all
   * ranks of a node may use, and ranks that differ break them. Which rank uses which adapter it
   * finds itself, by the same nearness. The {@code =} keeps mlx5_1 from meaning mlx5_10 too.
   */
  public Optional<String> ncclIbHca() {
    List<String> names = ncclHcas();
    return names.isEmpty() ? Optional.empty() : Optional.of("=" + String.join(",", names));
  }

  /** What {@code UCX_NET_DEVICES} is to be for a rank: its own adapters with their ports. */
  public Optional<String> ucxNetDevices(TaskBinding task) {
    List<String> devices = new ArrayList<>();
    for (Device nic : task.nics()) {
      if (!unfit(nic).isEmpty()) {
        return Optional.empty();
      }
      String port = nic.fact("port").filter(text -> text.matches("[1-9][0-9]?")).orElse("1");
      devices.add(nic.name() + ":" + port);
    }
    return devices.isEmpty() ? Optional.empty() : Optional.of(String.join(",", devices));
  }

  /** Why an adapter cannot be named to NCCL and UCX; empty where it can. */
  static String unfit(Device nic) {
    if (nic.name().equals(nic.pci()) || nic.name().matches("NIC[0-9]+")) {
      return "the source does not tell the names of the adapters";
    }
    if (nic.name().matches("(rdmap|efa|cxi|bxi|hsn)[_0-9].*")) {
      return "NCCL reaches these adapters through libfabric, which reads no NCCL_IB_HCA";
    }
    return "";
  }
}
