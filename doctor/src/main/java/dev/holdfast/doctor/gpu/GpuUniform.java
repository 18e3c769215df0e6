package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The odd one among accelerators that should be alike, usually since a part was replaced. */
public final class GpuUniform implements Check {
  /** Facts that change how a device behaves; settings with a check of their own are not here. */
  private static final List<String> BEHAVIOUR =
      List.of(
          "name",
          "vbios",
          "gsp.firmware",
          "memory.total.bytes",
          "bar1.total.bytes",
          "clock.sm.maximum.mhz",
          "clock.memory.maximum.mhz",
          "power.maximum.watts",
          "compute.mode",
          "persistence");

  /** Facts that only tell parts apart: a replaced board may well have another number. */
  private static final List<String> IDENTITY = List.of("part.number", "inforom.image");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.uniform",
              "Are all accelerators of the node alike in model, firmware and limits?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("nvml " + String.join(", ", BEHAVIOUR), "nvml " + String.join(", ", IDENTITY))
          .meaning(
              "The odd one runs at another speed or fails in another way than its peers, and the job"
                  + " takes the pace of the slowest.")
          .remedy(
              "Bring it to the version of its peers (vendor's firmware tool), or swap the part");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<Accelerator> devices =
        exam.accelerators().require().stream()
            .filter(device -> device.text("name").isPresent())
            .toList();
    if (devices.size() < 3) {
      exam.skip("fewer than three accelerators: there is no majority to compare with");
      return;
    }
    Survey.of(
        exam,
        devices,
        "as their peers",
        device -> {
          Map<String, String> changed = differences(device, devices, BEHAVIOUR);
          Map<String, String> named = differences(device, devices, IDENTITY);
          if (changed.isEmpty() && named.isEmpty()) {
            return Survey.Answer.GOOD;
          }
          tell(exam, device, changed, named);
          return Survey.Answer.TOLD;
        });
  }

  /** Which facts differ from the majority, with what the majority says. */
  private static Map<String, String> differences(
      Accelerator device, List<Accelerator> devices, List<String> facts) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String fact : facts) {
      Peers.majority(devices, fact)
          .filter(usual -> device.text(fact).filter(own -> !own.equals(usual)).isPresent())
          .ifPresent(usual -> found.put(fact, usual));
    }
    return found;
  }

  private static void tell(
      Examination exam,
      Accelerator device,
      Map<String, String> changed,
      Map<String, String> named) {
    Map<String, String> all = new LinkedHashMap<>(changed);
    all.putAll(named);
    Draft draft =
        exam.draft(
            device,
            changed.isEmpty() ? Severity.INFO : Severity.WARNING,
            "differs from its peers in " + String.join(", ", all.keySet()));
    all.forEach(
        (fact, usual) ->
            draft.evidence(
                device.source(fact), device.text(fact).orElse("") + ", most peers: " + usual));
  }
}
