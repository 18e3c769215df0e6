package dev.holdfast.doctor.site;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The checks a site added without recompiling: executables in {@code checks.d}. */
public final class SiteChecks {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*");
  private static final int MOST = 100;

  private SiteChecks() {}

  /** Those of the node: found in its folders when it is live, recorded with it when it is not. */
  public static List<Check> discover(NodeView node) {
    List<Check> checks = new ArrayList<>();
    for (String line : node.probe("site-checks").text().orElse("").split("\n")) {
      String[] fields = line.split("\t");
      if (fields.length == 2 && NAME.matcher(fields[0]).matches() && checks.size() < MOST) {
        checks.add(new SiteCheck(fields[0], fields[1]));
      }
    }
    return checks;
  }

  /** The built-in checks and then those of the node. */
  public static List<Check> after(List<Check> builtIn, NodeView node) {
    List<Check> all = new ArrayList<>(builtIn);
    all.addAll(discover(node));
    return all;
  }
}
