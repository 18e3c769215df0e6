package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Role;
import java.util.Locale;
import java.util.OptionalLong;

/** Whether somebody holds the processors below the clock they can reach. */
public final class FrequencyCap implements Check {
  private static final String BOOST = Governor.POLICIES + "/boost";
  private static final String NO_TURBO = "/sys/devices/system/cpu/intel_pstate/no_turbo";
  private static final int MAX_POLICIES = 1024;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.frequency",
              "May all processors reach their highest clock?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(Governor.POLICIES + "/policy*/scaling_max_freq", BOOST, NO_TURBO)
          .meaning(
              "A cap left behind by a power test or a profile makes this node's host threads slower"
                  + " than its neighbours', and the whole job keeps pace with the slowest.")
          .remedy("cpupower frequency-set -u MAXIMUM; see tuned-adm active for a profile that caps")
          .limit(
              "least", 0.95, "of the hardware's maximum", "own choice: rounding stays below 5 %");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Severity severity = Role.severity(exam.node(), Severity.WARNING);
    if (exam.node().number(BOOST).orElse(1) == 0) {
      exam.draft(exam.here(), severity, "boost is switched off")
          .evidence(BOOST, 0)
          .remedy("echo 1 > " + BOOST);
    }
    if (exam.node().number(NO_TURBO).orElse(0) == 1) {
      exam.draft(exam.here(), severity, "turbo is switched off")
          .evidence(NO_TURBO, 1)
          .remedy("echo 0 > " + NO_TURBO);
    }
    int capped = 0;
    int known = 0;
    String example = "";
    for (String policy :
        exam.node().list(Governor.POLICIES).stream().limit(MAX_POLICIES).toList()) {
      String folder = Governor.POLICIES + "/" + policy;
      OptionalLong cap =
          policy.startsWith("policy")
              ? exam.node().number(folder + "/scaling_max_freq")
              : OptionalLong.empty();
      OptionalLong most = exam.node().number(folder + "/cpuinfo_max_freq");
      if (cap.isEmpty() || most.isEmpty() || most.getAsLong() <= 0) {
        continue;
      }
      known++;
      if (cap.getAsLong() < exam.limit("least") * most.getAsLong()) {
        capped++;
        example =
            example.isEmpty()
                ? "%s: %s of %s"
                    .formatted(policy, gigahertz(cap.getAsLong()), gigahertz(most.getAsLong()))
                : example;
      }
    }
    if (capped > 0) {
      exam.draft(
              exam.here(),
              severity,
              "%d of %d frequency policies are capped (%s)".formatted(capped, known, example))
          .evidence(Governor.POLICIES + "/policy*/scaling_max_freq", example);
    } else if (known > 0) {
      exam.pass(known + " policies, none capped");
    }
  }

  private static String gigahertz(long kilohertz) {
    return String.format(Locale.ROOT, "%.2f GHz", kilohertz / 1e6);
  }
}
