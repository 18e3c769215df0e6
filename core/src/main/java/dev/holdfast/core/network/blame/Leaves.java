package dev.holdfast.core.network.blame;

import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which node is under which leaf? Told by lines such as {@code leaf1: gpu[001-032]}, or by Slurm's
 * topology.conf, of which lines that name nodes count.
 */
public final class Leaves {
  private static final Pattern OWN = Pattern.compile("([^\\s:=]+)\\s*:\\s*(\\S+)");
  private static final Pattern SLURM =
      Pattern.compile("(?i)SwitchName=(\\S+)\\s.*?\\bNodes=(\\S+).*");

  private Leaves() {}

  /** Leaves by node, in the order written. */
  public static Map<String, String> parse(String text) {
    Map<String, String> leaves = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String plain = line.replaceFirst("#.*", "").strip();
      if (plain.isEmpty() || plain.matches("(?i)SwitchName=.*\\bSwitches=.*")) {
        continue;
      }
      Matcher own = OWN.matcher(plain);
      Matcher slurm = SLURM.matcher(plain);
      if (!own.matches() && !slurm.matches()) {
        throw new IllegalArgumentException(
            "line " + number + ": expected 'leaf1: gpu[001-032]', not '" + plain + "'");
      }
      String leaf = slurm.matches() ? slurm.group(1) : own.group(1);
      for (String node : Hostlist.expand(slurm.matches() ? slurm.group(2) : own.group(2))) {
        String before = leaves.put(node, leaf);
        if (before != null && !before.equals(leaf)) {
          throw new IllegalArgumentException(
              "line " + number + ": " + node + " is under " + before + " already");
        }
      }
    }
    return leaves;
  }

  /** Endpoints of these nodes, one each; where nothing is known all are under one leaf. */
  public static List<Endpoint> endpoints(List<String> nodes, Map<String, String> leaves) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (String node : nodes) {
      String leaf = leaves.get(node);
      if (leaf == null && !leaves.isEmpty()) {
        throw new IllegalArgumentException(node + " is under none of the leaves named");
      }
      endpoints.add(new Endpoint(node, "", leaf == null ? "" : leaf));
    }
    return endpoints;
  }
}
