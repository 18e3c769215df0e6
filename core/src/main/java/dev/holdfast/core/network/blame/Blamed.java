package dev.holdfast.core.network.blame;

import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One fault, named.
 *
 * @param name of what is at fault, such as {@code n17}, {@code n17/mlx5_2}, {@code n3 - n9}, a leaf
 * @param failed whether traffic did not get through at all; else it is slow
 * @param share of what others reach; 0 when it failed
 * @param evidence each measurement that says so
 */
public record Blamed(Kind kind, String name, boolean failed, double share, List<String> evidence) {
  public Blamed {
    evidence = List.copyOf(evidence);
  }

  /** What is at fault. */
  public enum Kind {
    NODE("node"),
    /** The adapter or its cable: traffic cannot tell the two apart. */
    NIC("adapter or its cable"),
    /** Two endpoints that do well with everybody else. */
    LINK("link between"),
    /** Everything that leaves a leaf. */
    UPLINK("uplinks of leaf"),
    /** Two leaves that do well with every other leaf. */
    PATH("path between leaves"),
    /** Nobody in the leaf could be proven good, so the leaf cannot be told from its nodes. */
    LEAF_OR_NODES("leaf, or all its nodes:");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /** As a sentence without its end. */
  public String words() {
    return kind.words()
        + " "
        + name
        + (failed
            ? " fails"
            : String.format(Locale.ROOT, " is slow: %.0f %% of what others reach", share * 100));
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "kind",
        kind.name().toLowerCase(Locale.ROOT),
        "name",
        name,
        "fault",
        failed ? "failed" : "slow",
        "share",
        failed ? null : share,
        "evidence",
        evidence);
  }
}
