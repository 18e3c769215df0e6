package dev.holdfast.core.kernel;

import dev.holdfast.core.health.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What does the driver say each GPU needs? Its last word (Xid 154) replaces the action of every
 * earlier Xid of that GPU; if the last word is None, faults that a reset cures are history.
 */
final class RecoveryVerdict {
  private RecoveryVerdict() {}

  static void apply(List<Draft> drafts) {
    Map<String, Draft> verdicts = new HashMap<>();
    for (Draft draft : drafts) {
      if (draft.recovery.isPresent()) {
        verdicts.merge(
            draft.device, draft, (one, other) -> one.lastLine > other.lastLine ? one : other);
      }
    }
    for (Draft draft : drafts) {
      Draft verdict = verdicts.get(draft.device);
      if (verdict != null && draft != verdict && draft.firstLine < verdict.lastLine) {
        if (draft.recovery.isPresent()) {
          draft.follow(verdict);
          draft.remedy = "A later Xid 154 of this GPU replaces it.";
        } else if (draft.isXid() && draft.role == KernelEvent.Role.CAUSE) {
          obey(draft, verdict.recovery.orElseThrow());
        }
      }
    }
  }

  private static void obey(Draft draft, RecoveryAction verdict) {
    if (verdict == RecoveryAction.NONE) {
      if (curable(draft.step)) {
        draft.severity =
            draft.severity.atLeast(Severity.WARNING) ? Severity.WARNING : draft.severity;
        draft.step = NextStep.NONE;
        draft.meaning += " Since then the driver reports that the GPU needs no recovery.";
        draft.remedy = "Nothing to do now; watch whether it returns.";
      }
    } else if (draft.severity.atLeast(Severity.WARNING) && draft.step != NextStep.CONTACT_VENDOR) {
      draft.step = verdict.step();
      String phrase = verdict.step().phrase();
      boolean said = draft.remedy.regionMatches(true, 0, phrase, 0, phrase.length());
      draft.remedy =
          "The driver asks for \"%s\" (Xid 154)%s. %s"
              .formatted(verdict.text(), said ? "" : ": " + phrase, draft.remedy);
    }
  }

  private static boolean curable(NextStep step) {
    return switch (step) {
      case RESET_GPU, REBOOT_NODE, RESET_AT_DRAIN, RESTART_JOB, FOLLOW -> true;
      default -> false;
    };
  }
}
