package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import java.util.List;

/**
 * What one task gets.
 *
 * @param threads how many threads it should run
 * @param memory the NUMA nodes local to its CPUs, whose memory it should use; empty: no preference
 * @param nics the adapters its GPUs should use; empty where the policy does not choose any
 */
public record TaskBinding(
    int number, int threads, IdSet cpus, IdSet memory, List<Device> gpus, List<Device> nics) {
  public TaskBinding {
    gpus = List.copyOf(gpus);
    nics = List.copyOf(nics);
  }
}
