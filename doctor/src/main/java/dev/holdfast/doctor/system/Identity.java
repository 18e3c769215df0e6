package dev.holdfast.doctor.system;

import dev.holdfast.doctor.node.KeyValues;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Optional;

/**
 * Who examines the node, and from where: a finding about the host must not be made of what a
 * container shows of it.
 *
 * @param ownProcesses the PID namespace is the container's own, so that PID 1 is its first process
 */
public record Identity(
    Optional<Long> user, List<String> capabilities, boolean container, boolean ownProcesses) {
  public Identity {
    capabilities = List.copyOf(capabilities);
  }

  public static Identity of(NodeView node) {
    KeyValues said = KeyValues.parse(node.probe("identity").text().orElse(""));
    Optional<Long> user = said.text("user").flatMap(Identity::number);
    List<String> capabilities = List.of(said.text("capabilities").orElse("").split(" "));
    return new Identity(
        user, capabilities, said.says("container", "yes"), said.says("processes", "own"));
  }

  /** Whether files that only root may read can be read. */
  public boolean readsEverything() {
    return capabilities.contains("CAP_DAC_READ_SEARCH")
        || capabilities.contains("CAP_DAC_OVERRIDE");
  }

  private static Optional<Long> number(String digits) {
    try {
      return Optional.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
