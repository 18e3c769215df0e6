package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Sysfs;

/** Whether the kernel may stop a process to make huge pages for memory that never asked. */
public final class TransparentHugePages implements Check {
  static final String ENABLED = "/sys/kernel/mm/transparent_hugepage/enabled";
  private static final String DEFRAG = "/sys/kernel/mm/transparent_hugepage/defrag";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.hugepages.transparent",
              "Are transparent huge pages given only to memory that asks for them?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(ENABLED, DEFRAG)
          .meaning(
              "With 'always' and direct compaction a page fault may wait for the kernel to compact"
                  + " memory: data loaders and communication threads stall for milliseconds to"
                  + " seconds, at random, on one rank at a time.")
          .remedy(
              "echo madvise > "
                  + ENABLED
                  + "; make it stay with transparent_hugepage=madvise on"
                  + " the kernel command line");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String enabled = chosen(Sysfs.require(exam.node(), ENABLED));
    String defrag = exam.node().text(DEFRAG).map(TransparentHugePages::chosen).orElse("unknown");
    boolean stalls = defrag.equals("always");
    if (enabled.equals("always") && stalls) {
      exam.warning(exam.here(), "transparent huge pages are 'always', with direct compaction")
          .evidence(ENABLED, enabled)
          .evidence(DEFRAG, defrag);
    } else {
      exam.pass("enabled=" + enabled + ", defrag=" + defrag);
    }
  }

  /** The word in brackets: {@code always [madvise] never}. */
  static String chosen(String choices) {
    int open = choices.indexOf('[');
    int close = choices.indexOf(']', open + 1);
    return open < 0 || close < 0 ? choices.strip() : choices.substring(open + 1, close);
  }
}
