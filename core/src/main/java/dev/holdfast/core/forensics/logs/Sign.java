package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule;
import java.util.List;

/**
 * Something that can be the beginning.
 *
 * @param time corrected, {@link Stamp#NONE}: not known
 * @param exact whether it is the time of the words, not of a line before them
 * @param ranks empty: it is about a node, or it is not known whose it is
 * @param gpu of the node, where no rank is known, −1: not told
 * @param says the words that tell of it
 * @param where rank, node and place of the words
 */
record Sign(
    long time,
    boolean exact,
    Strength strength,
    List<Integer> ranks,
    String node,
    int gpu,
    FailureClass kind,
    String rule,
    FailureRule.Blame blame,
    double confidence,
    String says,
    String where,
    String meaning,
    String remedy) {

  /** How much a sign says of its own accord, most first. */
  enum Strength {
    /** The kernel saw the device, or the scheduler lost the node. */
    MACHINE,
    /** The rank names a cause that lies at its GPU or node. */
    DEVICE,
    /** The rank names another cause. */
    CAUSE,
    /** Only how it ended is known, and nobody else can have done that. */
    ENDED,
    /** An exception of its own. */
    GENERIC,
    /** Somebody cancelled the job: mostly because of something earlier. */
    CANCELLED
  }

  boolean timed() {
    return time != Stamp.NONE;
  }

  /** Whether the two tell of the same. */
  boolean alike(Sign other) {
    return rule.equals(other.rule) && kind == other.kind && strength == other.strength;
  }
}
