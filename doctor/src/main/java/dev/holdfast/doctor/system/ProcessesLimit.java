package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.OptionalLong;

/** Whether threads and process numbers are about to run out, on the node or for the user. */
public final class ProcessesLimit implements Check {
  private static final String LOAD = "/proc/loadavg";
  private static final String THREADS = "/proc/sys/kernel/threads-max";
  private static final String NUMBERS = "/proc/sys/kernel/pid_max";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.limits.processes",
              "Are there threads and process numbers left?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(LOAD, THREADS, NUMBERS, ResourceLimits.PATH + " Max processes")
          .meaning(
              "When a thread cannot be started, a rank dies in the middle of NCCL or the data loader"
                  + " with 'resource temporarily unavailable'.")
          .remedy(
              "sysctl kernel.pid_max=4194304 kernel.threads-max=4194304; find who holds them: ps -eo nlwp,pid,user,comm --sort=-nlwp | head")
          .limit("warning", 80, "% in use", "gpud os component")
          .limit("degraded", 95, "% in use", "gpud os component")
          .limit("user", 4096, "processes", "own choice: 8 ranks with workers and NCCL threads");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    OptionalLong used = threads(exam.node().require(LOAD));
    long most =
        Math.min(
            exam.node().number(THREADS).orElse(Long.MAX_VALUE),
            exam.node().number(NUMBERS).orElse(Long.MAX_VALUE));
    if (used.isEmpty() || most <= 0 || most == Long.MAX_VALUE) {
      exam.skip("the number of threads or its limit is unknown");
    } else {
      long percent = used.getAsLong() * 100 / most;
      String said = used.getAsLong() + " threads of at most " + most;
      if (percent >= exam.limit("warning")) {
        Draft draft =
            percent >= exam.limit("degraded")
                ? exam.degraded(exam.here(), said)
                : exam.warning(exam.here(), said);
        draft.evidence(LOAD, used.getAsLong()).evidence(THREADS + ", " + NUMBERS, most);
      } else {
        exam.pass(said);
      }
    }
    ResourceLimits.Pair user = ResourceLimits.require(exam.node(), "Max processes");
    if (user.soft() < exam.limit("user")) {
      exam.draft(
              exam.here(),
              Role.severity(exam.node(), Severity.WARNING),
              "a user may have only " + user.soft() + " processes and threads")
          .evidence(ResourceLimits.PATH + " Max processes", user.show())
          .remedy("LimitNPROC=infinity in slurmd's unit, or nproc in /etc/security/limits.conf");
    }
  }

  /** The second number of {@code 9/243}. */
  private static OptionalLong threads(String load) {
    String[] words = load.split(" ");
    int slash = words.length < 4 ? -1 : words[3].indexOf('/');
    try {
      return slash < 0
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(words[3].substring(slash + 1)));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
