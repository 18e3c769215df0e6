package dev.holdfast.sim;

import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.NodeDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * What a simulated cluster looks like: racks of sixteen nodes, leaves of thirty-two, eight rails.
 */
public record Shape(int nodes, int devices) {
  private static final int RACK = 16;
  private static final int LEAF = 32;
  private static final int ROW = 128;

  public Shape {
    if (nodes < 1 || nodes > 100_000 || devices < 1 || devices > 16) {
      throw new IllegalArgumentException("1 to 100,000 nodes of 1 to 16 devices can be simulated");
    }
  }

  public String node(int index) {
    return String.format(Locale.ROOT, "sim%05d", index);
  }

  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      names.add(node(i));
    }
    return names;
  }

  /** The nodes behind a leaf switch. */
  public List<Integer> behind(int leaf) {
    List<Integer> behind = new ArrayList<>();
    for (int i = leaf * LEAF; i < Math.min(nodes, (leaf + 1) * LEAF); i++) {
      behind.add(i);
    }
    return behind;
  }

  public int leaves() {
    return (nodes + LEAF - 1) / LEAF;
  }

  NodeDescription describe(int index) {
    TreeMap<String, String> place = new TreeMap<>();
    place.put("rack", String.format(Locale.ROOT, "rack%03d", index / RACK));
    place.put("leaf", String.format(Locale.ROOT, "leaf%02d", index / LEAF));
    place.put("power", String.format(Locale.ROOT, "row%02d", index / ROW));
    TreeMap<String, String> versions = new TreeMap<>();
    versions.put("driver", index % 50 == 7 ? "580.82.07" : "580.65.06");
    List<DeviceDescription> parts = new ArrayList<>();
    for (int device = 0; device < devices; device++) {
      parts.add(
          new DeviceDescription(
              "gpu", "" + device, "simulated", "pex" + device / 2, "rail" + device));
      parts.add(
          new DeviceDescription(
              "nic", "mlx5_" + device + "/1", "simulated", "pex" + device / 2, "rail" + device));
    }
    return new NodeDescription(node(index), "sim", place, versions, parts);
  }
}
