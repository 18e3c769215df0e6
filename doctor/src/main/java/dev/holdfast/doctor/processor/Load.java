package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Pressure;
import dev.holdfast.doctor.system.Sysfs;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Whether more wants to run than there are processors, for minutes. A busy node is what training
 * looks like; only threads that wait for a processor most of the time are a finding.
 */
public final class Load implements Check {
  private static final String LOAD = "/proc/loadavg";
  private static final String ONLINE = "/sys/devices/system/cpu/online";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.load",
              "Do threads get a processor when they want one?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(LOAD, Pressure.PROCESSOR)
          .meaning(
              "Threads that feed the GPUs stand in a queue: too many data-loader workers, unbound"
                  + " OpenMP threads, or processes an earlier job left behind.")
          .remedy("top -b -n1 | head -30; stop leftovers, set OMP_NUM_THREADS and fewer workers")
          .limit("load", 2, "runnable threads per processor", "own choice")
          .limit(
              "waiting", 60, "% of five minutes", "own choice: Linux pressure stall information");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String[] averages = exam.node().require(LOAD).split(" ");
    OptionalDouble load = averages.length < 3 ? OptionalDouble.empty() : number(averages[1]);
    int processors =
        ProcessorList.parse(Sysfs.require(exam.node(), ONLINE)).map(ProcessorList::size).orElse(0);
    if (load.isEmpty() || processors == 0) {
      exam.skip("load or number of processors unknown");
      return;
    }
    double perProcessor = load.getAsDouble() / processors;
    OptionalDouble waiting = Pressure.read(exam.node(), Pressure.PROCESSOR, "some", "avg300");
    String said =
        String.format(
            Locale.ROOT,
            "%.1f threads for %d processors over five minutes",
            load.getAsDouble(),
            processors);
    if (perProcessor > exam.limit("load")
        && waiting.isPresent()
        && waiting.getAsDouble() > exam.limit("waiting")) {
      exam.warning(exam.here(), said)
          .evidence(LOAD, String.join(" ", averages).strip())
          .evidence(Pressure.PROCESSOR + " some avg300", waiting.getAsDouble() + " %");
    } else {
      exam.pass(said);
    }
  }

  private static OptionalDouble number(String digits) {
    try {
      return OptionalDouble.of(Double.parseDouble(digits));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }
}
