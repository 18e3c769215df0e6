package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import java.util.List;

/**
 * A rank as it is or as it is planned.
 *
 * @param nics its adapters; empty: left to NCCL
 * @param memory the NUMA nodes it is held to; empty: it is not
 */
record RailRank(IdSet cpus, List<Device> gpus, List<Device> nics, IdSet memory) {
  static RailRank of(TaskBinding task) {
    return new RailRank(task.cpus(), task.gpus(), task.nics(), task.memory());
  }
}
