package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/**
 * Whether the image's first process hears TERM and passes it on. A shell that was given its command
 * with {@code -c} (the shell form of ENTRYPOINT) does neither.
 */
final class Signals implements Check {
  private static final String STATUS = "/proc/1/status";
  private static final long TERM = 1L << 14;
  private static final List<String> SHELLS = List.of("sh", "bash", "dash", "ash", "zsh");
  private static final List<String> OURS = List.of("java", "holdfast");

  private final CheckInfo info;

  Signals(Platform platform) {
    this.info =
        CheckInfo.of(
                platform.check("signals"),
                "Does the image's first process pass on " + platform.title() + "'s TERM?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads(STATUS, "image first")
            .meaning(
                platform.title()
                    + " sends TERM to PID 1 and kills the container after "
                    + platform.graceSeconds()
                    + " s: if the training process never hears of it, the last checkpoint is not"
                    + " written.")
            .remedy(
                "In the Dockerfile, use the exec form and let the program be PID 1: ENTRYPOINT"
                    + " [\"python\", \"train.py\"]; in a start script, end with exec \"$@\"; or put"
                    + " an init before it: ENTRYPOINT [\"tini\", \"-g\", \"--\", …]");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    List<String> first = Image.of(exam.node()).first();
    String program = first.isEmpty() ? "" : first.getFirst();
    String name = program.substring(program.lastIndexOf('/') + 1);
    if (!exam.node().probe("identity").text().orElse("").contains("processes=own")
        || name.isEmpty()
        || OURS.contains(name)) {
      exam.skip("start the image with its own entry point and run holdfast beside it");
      return;
    }
    boolean given = first.size() > 1 && first.get(1).equals("-c");
    if (SHELLS.contains(name) && given) {
      exam.degraded(exam.here(), "PID 1 is a shell that was given its command (" + name + " -c)")
          .evidence("/proc/1/cmdline", String.join(" ", first));
    } else if (SHELLS.contains(name) && first.size() == 1) {
      exam.skip("PID 1 is the shell of this examination, not the image's entry point");
    } else {
      handlers(exam, name);
    }
  }

  private static void handlers(Examination exam, String name) {
    String status = exam.node().require(STATUS);
    long heard = mask(status, "SigCgt:") | mask(status, "SigBlk:");
    if ((heard & TERM) != 0) {
      exam.pass(name + " handles TERM");
    } else {
      exam.degraded(exam.here(), "PID 1 (" + name + ") has no handler for TERM")
          .evidence(STATUS, "SigCgt " + Long.toHexString(mask(status, "SigCgt:")));
    }
  }

  private static long mask(String status, String row) {
    for (String line : status.split("\n")) {
      if (line.startsWith(row)) {
        try {
          return Long.parseUnsignedLong(line.substring(row.length()).strip(), 16);
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 0;
  }
}
