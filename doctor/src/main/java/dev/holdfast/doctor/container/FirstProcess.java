package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.KeyValues;
import dev.holdfast.doctor.system.Identity;
import java.util.Optional;

/**
 * Whether the first process of the container hears a request to stop.
 *
 * <p>The kernel gives PID 1 no default action: a TERM it has no handler for is dropped. An init
 * either catches it or, like tini, blocks it and waits for it; a shell that was started with {@code
 * -c} does neither and passes nothing on.
 */
public final class FirstProcess implements Check {
  private static final String STATUS = "/proc/1/status";
  private static final long TERM = 1L << 14;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.process.first",
              "Does the container's first process hear a request to stop?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(STATUS, "identity")
          .meaning(
              "At preemption, eviction or scancel the platform sends TERM to PID 1 and kills the"
                  + " container after a grace period: the training process never hears of it and the"
                  + " last checkpoint is not written.")
          .remedy(
              "Start the program itself (exec in the entry script, CMD as a JSON array), or an init:"
                  + " docker run --init, tini, dumb-init");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!Identity.of(exam.node()).ownProcesses()) {
      return;
    }
    KeyValues status = KeyValues.parse(exam.node().require(STATUS), ':');
    Optional<Long> caught = status.text("SigCgt").flatMap(FirstProcess::mask);
    Optional<Long> blocked = status.text("SigBlk").flatMap(FirstProcess::mask);
    String name = status.text("Name").orElse("unknown");
    if (caught.isEmpty() || blocked.isEmpty()) {
      exam.skip(STATUS + " does not tell which signals are handled");
    } else if (((caught.get() | blocked.get()) & TERM) == 0) {
      exam.warning(exam.here(), "PID 1 (" + name + ") does not react to SIGTERM")
          .evidence(STATUS + " Name", name)
          .evidence(STATUS + " SigCgt", status.text("SigCgt").orElse("") + " (bit 15 is not set)");
    } else {
      exam.pass(name + " handles SIGTERM");
    }
  }

  private static Optional<Long> mask(String digits) {
    try {
      return Optional.of(Long.parseUnsignedLong(digits, 16));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
