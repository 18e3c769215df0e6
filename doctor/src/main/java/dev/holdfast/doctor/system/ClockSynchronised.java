package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.KeyValues;
import java.util.Locale;
import java.util.OptionalDouble;

/** Whether the wall clock is steered by a time server, and close to it. */
public final class ClockSynchronised implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.clock.synchronised",
              "Is the clock steered by a time server?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads("clock")
          .meaning(
              "Logs of many nodes can be put in order, and the first rank to fail be found, only with"
                  + " one time; certificates, Kerberos and munge refuse clocks that drift apart.")
          .remedy("systemctl enable --now chrony; then: chronyc tracking")
          .limit("offset", 0.1, "s", "check catalogue of peers: 100 ms");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    KeyValues clock = KeyValues.parse(exam.node().requireProbe("clock"));
    OptionalDouble offset = clock.real("offset.seconds");
    if (Math.abs(offset.orElse(0)) > exam.limit("offset")) {
      exam.degraded(
              exam.here(),
              String.format(Locale.ROOT, "the clock is off by %.3f s", offset.getAsDouble()))
          .evidence("adjtimex offset", offset.getAsDouble() + " s");
    }
    if (clock.says("synchronised", "no")) {
      exam.warning(exam.here(), "no time server steers the clock")
          .evidence("adjtimex status", clock.text("status").orElse("") + " (unsynchronised)")
          .evidence(
              "adjtimex maximum error",
              clock.text("maximumError.seconds").orElse("unknown") + " s");
    } else if (clock.says("synchronised", "yes")) {
      exam.pass(
          "synchronised, within " + clock.text("maximumError.seconds").orElse("unknown") + " s");
    } else {
      exam.skip("the clock's state is unknown");
    }
  }
}
