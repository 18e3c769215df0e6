package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.Optional;

/**
 * The NVIDIA driver in the kernel: the one every CUDA program on the node must get along with.
 *
 * @param source where the version was read
 */
public record Driver(Version version, String source) {
  private static final String MODULE = "/sys/module/nvidia/version";

  public static Optional<Driver> of(NodeView node, Accelerators accelerators) {
    return node.text(MODULE)
        .flatMap(Version::find)
        .map(version -> new Driver(version, MODULE))
        .or(
            () ->
                accelerators
                    .nvidia()
                    .fact("driver.version")
                    .flatMap(Version::find)
                    .map(version -> new Driver(version, "nvml driver.version")));
  }

  static Driver require(NodeView node, Accelerators accelerators) {
    return of(node, accelerators)
        .orElseThrow(() -> new Unavailable("no NVIDIA driver is loaded on this node"));
  }
}
