package dev.holdfast.doctor.system;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;

/**
 * Is this a node that trains? A setting that slows a training node is nobody's business on a laptop
 * or a file server, so such findings are only worth knowing there.
 *
 * <p>Told by the loaded drivers and not by asking them: a driver that hangs must not take the
 * checks of the host with it.
 */
public final class Role {
  private static final List<String> DRIVERS =
      List.of(
          "/sys/module/nvidia/initstate",
          "/sys/module/amdgpu/initstate",
          "/proc/driver/nvidia/version",
          "/dev/davinci_manager");

  private Role() {}

  public static boolean trains(NodeView node) {
    return DRIVERS.stream().anyMatch(node::exists);
  }

  /** The severity on a training node; elsewhere it is only worth knowing. */
  public static Severity severity(NodeView node, Severity onTrainingNode) {
    return trains(node) ? onTrainingNode : Severity.INFO;
  }
}
