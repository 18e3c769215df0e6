package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something the kernel log says happened: which rule saw it, on which device, how bad, whose
 * problem, what it means and what to do. Repetitions within {@link Bursts#WINDOW} are one event.
 *
 * @param rule {@code xid}, {@code sxid} or the id of a row of {@code kernel-lines.tsv}
 * @param code the Xid or SXid number
 * @param device a PCI address {@code 0000:3b:00.0}, a block device, a port, or empty
 * @param proof how far the row that judged it is proven
 * @param role whether it is a cause or follows from another event
 * @param step what to do in one word
 * @param detail what the decoder read in the line beyond the code: unit, link, recovery action
 * @param first when it was first and last logged, if the log and the boot time tell
 * @param count how many lines it stands for
 * @param line the first of those lines, without time stamp
 */
public record KernelEvent(
    String rule,
    OptionalInt code,
    String device,
    Severity severity,
    FaultClass faultClass,
    Proof proof,
    Role role,
    NextStep step,
    String summary,
    String meaning,
    String remedy,
    String detail,
    Optional<Instant> first,
    Optional<Instant> last,
    int count,
    String line) {

  /** Where the event stands among the others. */
  public enum Role {
    /** Nothing in the log explains it: treat it. */
    CAUSE,
    /** Another event explains it: treat that one. */
    CONSEQUENCE,
    /** It says more about another event. */
    DETAIL
  }

  public KernelEvent {
    if (rule.isEmpty() || meaning.isEmpty() || remedy.isEmpty() || count < 1) {
      throw new IllegalArgumentException("an event needs rule, meaning, remedy and a count");
    }
  }

  public boolean isXid(int number) {
    return rule.equals("xid") && code.isPresent() && code.getAsInt() == number;
  }
}
