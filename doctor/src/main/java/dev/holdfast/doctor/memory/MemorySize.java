package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether all the memory the site expects is there. */
public final class MemorySize implements Check {
  static final String NOT_EXPECTED = "the site has not said what to expect (--expect)";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.size",
              "Has the node as much memory as it should?",
              FaultClass.HARDWARE,
              Proof.HARDWARE)
          .reads(MemoryInfo.PATH + " MemTotal")
          .meaning(
              "A module that failed its training at boot is left out silently: jobs sized for the"
                  + " full node run out of memory here only.")
          .remedy("dmidecode -t memory shows the empty slot; reseat or replace the module")
          .limit("tolerance", 3, "%", "AzNHC: memory within 3 to 5 % of the expected");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Bytes total = MemoryInfo.of(exam.node()).require("MemTotal");
    Optional<Bytes> expected = exam.site().expected("memory.bytes").flatMap(MemorySize::size);
    if (expected.isEmpty()) {
      exam.skip(NOT_EXPECTED);
    } else if (total.count() < expected.get().count() * (1 - exam.limit("tolerance") / 100)) {
      exam.fatal(exam.here(), "only " + total + " of " + expected.get() + " of memory are there")
          .evidence(MemoryInfo.PATH + " MemTotal", total)
          .evidence("expected memory.bytes", expected.get());
    } else {
      exam.pass(total + " of " + expected.get());
    }
  }

  private static Optional<Bytes> size(String text) {
    try {
      return Optional.of(Bytes.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
