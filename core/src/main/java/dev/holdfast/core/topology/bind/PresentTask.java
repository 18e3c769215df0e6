package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.IdSet;
import java.util.List;

/**
 * How a rank is bound now.
 *
 * @param cpus the CPUs it may run on
 * @param gpuIds its GPUs by number, name, PCI address or UUID; empty: those the plan gives it
 * @param nics its adapters by name or PCI address; empty: NCCL chooses among all
 * @param memory the NUMA nodes it is held to; empty: it is not
 */
public record PresentTask(IdSet cpus, List<String> gpuIds, List<String> nics, IdSet memory) {
  public PresentTask {
    gpuIds = List.copyOf(gpuIds);
    nics = List.copyOf(nics);
  }
}
