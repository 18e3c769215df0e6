package dev.holdfast.control.decide;

/** What a person can want. */
public sealed interface Wish {
  /** No new job on the node; {@code now}: the one that runs leaves at once. */
  record Drain(String node, boolean now, String why) implements Wish {}

  /** The node was seen to: it comes back once the checks that failed pass. */
  record Undrain(String node, String why) implements Wish {}

  record Approve(String decision, String why) implements Wish {}

  record Reject(String decision, String why) implements Wish {}

  record Note(String subject, String text) implements Wish {}

  record Pause(String why) implements Wish {}

  record Resume(String why) implements Wish {}

  /** The guard may let nodes be taken out again. */
  record ResetGuard(String why) implements Wish {}

  /** That decision was wrong. */
  record Wrong(String decision, String why) implements Wish {}

  /**
   * A source begins anew, on whichever machine: what is known of its earlier lives is forgotten.
   */
  record ResetSource(String source) implements Wish {}

  record SetPolicy(String yaml) implements Wish {}
}
