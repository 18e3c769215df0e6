package dev.holdfast.cli.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is written into Slurm's folder, and where.
 *
 * @param path below that folder
 */
record SlurmParts(String path, String text, boolean executable) {
  /** Before most hooks of a site, after those that prepare the node. */
  private static final String HOOK = "45-holdfast";

  private static final String UNIT_PROGRAM = "/opt/holdfast/bin/holdfast";

  /**
   * @param program Holdfast on the nodes
   * @param enforce whether nodes are drained, or that is only told
   * @param accept how far a finding must be proven to drain a node, or empty
   * @param configuration where slurm.conf is
   */
  static List<SlurmParts> of(
      Path folder, String program, boolean enforce, String accept, String configuration) {
    Map<String, String> site =
        Map.of(
            "@DIR@",
            folder.toString(),
            "@PROGRAM@",
            program,
            "@ENFORCE@",
            enforce ? "yes" : "no",
            "@ACCEPT@",
            accept,
            "@CONF@",
            configuration);
    String agent = text("holdfast-agent.service").replace(UNIT_PROGRAM, program);
    return List.of(
        script("prolog.d/" + HOOK, "prolog"),
        script("epilog.d/" + HOOK, "epilog"),
        script("holdfast/health", "health"),
        script("holdfast/orphans", "orphans"),
        script("holdfast/bcm-health", "bcm-health"),
        new SlurmParts("holdfast/common", text("common"), false),
        filled("settings", site),
        filled("slurm.conf", site),
        new SlurmParts("holdfast/holdfast-agent.service", agent, false),
        filled("holdfast-orphans.service", site),
        filled("holdfast-orphans.timer", site));
  }

  private static SlurmParts script(String path, String name) {
    return new SlurmParts(path, text(name), true);
  }

  private static SlurmParts filled(String name, Map<String, String> site) {
    return new SlurmParts("holdfast/" + name, fill(text(name), site), false);
  }

  static String fill(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace(value.getKey(), value.getValue());
    }
    return filled;
  }

  static String text(String name) {
    try (InputStream in =
        Objects.requireNonNull(SlurmParts.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(name, unreadable);
    }
  }
}
