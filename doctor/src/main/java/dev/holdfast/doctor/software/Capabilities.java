package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.Unavailable;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The compute capabilities of the node's NVIDIA GPUs, each with one GPU that has it. */
final class Capabilities {
  private Capabilities() {}

  static SortedMap<Version, Accelerator> of(Accelerators accelerators) {
    SortedMap<Version, Accelerator> found = new TreeMap<>();
    for (Accelerator device : accelerators.require()) {
      Optional<Version> capability = device.text("compute.capability").flatMap(Version::find);
      capability.ifPresent(version -> found.putIfAbsent(version, device));
    }
    if (found.isEmpty()) {
      throw new Unavailable("the compute capability of the accelerators is not known");
    }
    return found;
  }
}
