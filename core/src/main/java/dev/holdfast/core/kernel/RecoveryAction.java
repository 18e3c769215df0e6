package dev.holdfast.core.kernel;

import dev.holdfast.core.health.Severity;
import java.util.List;
import java.util.Optional;

/**
 * What the driver itself says a GPU needs (Xid 154). It knows more than any table, so it decides.
 * Newer drivers use other words for the same numbers; a text nobody knows is read by its number.
 */
public enum RecoveryAction {
  NONE(0, NextStep.NONE, Severity.INFO, "None"),
  GPU_RESET(1, NextStep.RESET_GPU, Severity.FATAL, "GPU Reset Required", "PF FLR"),
  NODE_REBOOT(2, NextStep.REBOOT_NODE, Severity.FATAL, "Node Reboot Required", "OS Reboot"),
  DRAIN_P2P(3, NextStep.RESET_AT_DRAIN, Severity.DEGRADED, "Drain P2P"),
  DRAIN_AND_RESET(4, NextStep.RESET_AT_DRAIN, Severity.DEGRADED, "Drain and Reset");

  private final int number;
  private final NextStep step;
  private final Severity severity;
  private final List<String> texts;

  RecoveryAction(int number, NextStep step, Severity severity, String... texts) {
    this.number = number;
    this.step = step;
    this.severity = severity;
    this.texts = List.of(texts);
  }

  public static Optional<RecoveryAction> find(String text, int number) {
    for (RecoveryAction action : values()) {
      if (action.texts.stream().anyMatch(text::equalsIgnoreCase)) {
        return Optional.of(action);
      }
    }
    for (RecoveryAction action : values()) {
      if (action.number == number) {
        return Optional.of(action);
      }
    }
    return Optional.empty();
  }

  public NextStep step() {
    return step;
  }

  public Severity severity() {
    return severity;
  }

  /** The driver's words. */
  public String text() {
    return texts.getFirst();
  }
}
