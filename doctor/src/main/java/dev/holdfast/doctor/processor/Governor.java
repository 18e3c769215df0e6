package dev.holdfast.doctor.processor;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Role;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether processors are let run at their speed. Under {@code intel_pstate} and {@code
 * amd-pstate-epp} the word {@code powersave} names an ordinary governor that follows the load, so
 * there the energy preference decides.
 */
public final class Governor implements Check {
  static final String POLICIES = "/sys/devices/system/cpu/cpufreq";
  private static final int MAX_POLICIES = 1024;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "processor.governor",
              "Do all processors run under a governor that lets them be fast?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(POLICIES + "/policy*/scaling_governor", POLICIES + "/policy*/scaling_driver")
          .meaning(
              "Data loading, kernel launches and NCCL's proxy threads run on the host. At a low"
                  + " clock they keep the GPUs waiting, and one slow node slows every rank.")
          .remedy("cpupower frequency-set -g performance (and make it stay with tuned or a unit)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, Integer> counts = new TreeMap<>();
    List<String> policies =
        exam.node().list(POLICIES).stream()
            .filter(name -> name.startsWith("policy"))
            .limit(MAX_POLICIES)
            .toList();
    for (String policy : policies) {
      mode(exam, POLICIES + "/" + policy).ifPresent(mode -> counts.merge(mode, 1, Integer::sum));
    }
    if (counts.isEmpty()) {
      return;
    }
    String seen = seen(counts);
    boolean slow = counts.keySet().stream().anyMatch(Governor::slow);
    if (slow || counts.size() > 1) {
      Severity severity = Role.severity(exam.node(), Severity.WARNING);
      exam.draft(
              exam.here(),
              severity,
              slow ? "processors run under a power-saving governor" : "governors differ: " + seen)
          .evidence(POLICIES + "/policy*/scaling_governor", seen);
    } else {
      exam.pass(seen);
    }
  }

  private static java.util.Optional<String> mode(Examination exam, String policy) {
    var governor = exam.node().text(policy + "/scaling_governor");
    boolean own =
        exam.node()
            .text(policy + "/scaling_driver")
            .filter(name -> name.equals("intel_pstate") || name.equals("amd-pstate-epp"))
            .isPresent();
    if (own && governor.filter("powersave"::equals).isPresent()) {
      return exam.node()
          .text(policy + "/energy_performance_preference")
          .map(preference -> "dynamic, preference " + preference)
          .or(() -> java.util.Optional.of("dynamic"));
    }
    return governor;
  }

  private static boolean slow(String mode) {
    return mode.equals("powersave")
        || mode.equals("conservative")
        || mode.equals("dynamic, preference power");
  }

  private static String seen(Map<String, Integer> counts) {
    return String.join(
        ", ",
        counts.entrySet().stream()
            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
            .toList());
  }
}
