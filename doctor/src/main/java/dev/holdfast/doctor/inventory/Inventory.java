package dev.holdfast.doctor.inventory;

import dev.holdfast.core.health.Fact;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;

/**
 * What does this node consist of? The facts that two good nodes of the same kind have in common:
 * parts and their firmware, memory, kernel, settings and software.
 *
 * <p>The names are stable; expectation files and comparisons of nodes speak them. What differs from
 * node to node by nature (serials, addresses, identifiers of disks) or from minute to minute
 * (temperatures, free memory) is left out. A fact that cannot be read is absent, never guessed.
 */
public final class Inventory {
  private Inventory() {}

  public static List<Fact> of(NodeView node, Accelerators accelerators) {
    FactSheet sheet = new FactSheet(node);
    AcceleratorFacts.add(sheet, node, accelerators);
    NetworkFacts.add(sheet, node);
    HostFacts.add(sheet, node);
    SettingFacts.add(sheet, node);
    MountFacts.add(sheet, node);
    SoftwareFacts.add(sheet, node);
    return sheet.facts();
  }
}
