package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Pressure;
import java.util.OptionalDouble;

/** Whether everything waited for memory: the node thrashes. */
public final class MemoryPressure implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.pressure",
              "Does the node run without waiting for memory?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(Pressure.MEMORY)
          .meaning(
              "All tasks stood still while the kernel looked for memory to free; steps become slow"
                  + " and uneven long before anything is killed.")
          .remedy(
              "ps -eo pid,user,rss,comm --sort=-rss | head; fewer data-loader workers, or leftovers")
          .limit("full", 5, "% of a minute", "own choice: oomd acts between 5 and 60 %");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    exam.node().require(Pressure.MEMORY);
    OptionalDouble full = Pressure.read(exam.node(), Pressure.MEMORY, "full", "avg60");
    if (full.isEmpty()) {
      exam.skip(Pressure.MEMORY + " is not of the known form");
    } else if (full.getAsDouble() > exam.limit("full")) {
      exam.degraded(
              exam.here(),
              "all tasks waited for memory %s %% of the last minute".formatted(full.getAsDouble()))
          .evidence(Pressure.MEMORY + " full avg60", full.getAsDouble() + " %");
    } else {
      exam.pass(full.getAsDouble() + " % of the last minute");
    }
  }
}
