package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the kernel frees memory near by rather than take some from the other socket. */
public final class ZoneReclaim implements Check {
  private static final String PATH = "/proc/sys/vm/zone_reclaim_mode";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.zone.reclaim",
              "May memory come from another socket before caches are thrown away?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(PATH, NumaNodes.ROOT)
          .meaning(
              "With zone reclaim an allocation waits while the kernel frees pages of its own socket,"
                  + " although the other has plenty: long stalls when datasets fill the page cache.")
          .remedy("sysctl vm.zone_reclaim_mode=0, and in /etc/sysctl.d to make it stay");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    var mode = exam.node().number(PATH);
    int nodes = NumaNodes.read(exam.node()).size();
    if (mode.isEmpty()) {
      return;
    }
    if (mode.getAsLong() != 0 && nodes > 1) {
      exam.warning(exam.here(), "zone reclaim is on (" + mode.getAsLong() + ")")
          .evidence(PATH, mode.getAsLong());
    } else {
      exam.pass("mode " + mode.getAsLong());
    }
  }
}
