package dev.holdfast.doctor.check;

import java.util.List;

/** Which checks can be asked where only a kernel log is known; the others are skipped. */
public final class KernelLogChecks {
  private static final String LOG = "kernel-log";

  private KernelLogChecks() {}

  /** As many, in their order. */
  public static List<Check> of(List<Check> checks, String why) {
    return checks.stream()
        .map(check -> readsLog(check.info()) ? check : skipped(check.info(), why))
        .toList();
  }

  private static boolean readsLog(CheckInfo info) {
    return info.reads().stream().anyMatch(read -> read.contains(LOG));
  }

  private static Check skipped(CheckInfo info, String why) {
    return new Check() {
      @Override
      public CheckInfo info() {
        return info;
      }

      @Override
      public void run(Examination exam) {
        exam.skip(why);
      }
    };
  }
}
