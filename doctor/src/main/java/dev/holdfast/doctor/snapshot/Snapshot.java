package dev.holdfast.doctor.snapshot;

import dev.holdfast.core.text.Times;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.contract.Contracts;
import dev.holdfast.doctor.inventory.Inventory;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.RecordingNode;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.doctor.topology.NodeTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything {@code doctor} and {@code topo} read of a node, found out by letting them read: all
 * checks, the inventory and the topology look through a node that remembers. So a snapshot can miss
 * nothing a check needs, and a new check needs no line here. The counters of earlier runs are among
 * what is read, so that rates can be told elsewhere too.
 *
 * @param members see {@link dev.holdfast.doctor.node.RecordedNode}
 */
public record Snapshot(NodeView node, Map<String, String> members) {
  private static final int MOST_CPUS = 1280;

  public Snapshot {
    members = Map.copyOf(members);
  }

  /**
   * Lets a doctor read the node.
   *
   * @param doctor the doctor who runs these checks: the built-in ones and the site's own
   */
  public static Snapshot take(
      NodeView node, Function<List<Check>, Doctor> doctor, Blanking blanking) {
    RecordingNode recording = new RecordingNode(node);
    List<Check> checks = new ArrayList<>(SiteChecks.after(Checks.all(), recording));
    Contracts.names().forEach(name -> checks.addAll(Contracts.of(name)));
    doctor.apply(checks).examine(recording, Level.PASSIVE);
    Accelerators accelerators = new Accelerators(recording);
    Inventory.of(recording, accelerators);
    readTopology(recording, accelerators);
    return new Snapshot(node, blanking.apply(recording.members()));
  }

  /**
   * What {@code topo} and {@code bind} read, some thirty small files for each CPU. A node that
   * cannot tell it, or has more CPUs than a snapshot has room for, is recorded without.
   */
  private static void readTopology(NodeView recording, Accelerators accelerators) {
    try {
      String online = recording.text("/sys/devices/system/cpu/online").orElse("");
      if (IdSet.parse(online).count() > MOST_CPUS) {
        return;
      }
      NodeTopology.of(recording, accelerators);
    } catch (Unavailable | IllegalArgumentException e) {
      // What was asked for and refused is recorded as such.
    }
  }

  public byte[] archive(String tool) {
    return SnapshotArchive.write(members, node.now(), tool);
  }

  /** {@code holdfast-n17-20260101T120000Z.zip} */
  public String fileName() {
    String time = Times.show(node.now()).replaceAll("[-:]|\\.\\d+", "");
    return "holdfast-" + node.name() + "-" + time + ".zip";
  }
}
