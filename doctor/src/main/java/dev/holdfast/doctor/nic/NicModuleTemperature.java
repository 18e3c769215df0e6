package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Whether an adapter or its transceiver is close to the temperature at which it gives up. */
public final class NicModuleTemperature implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.module.temperature",
              "Are adapters and transceivers cool enough?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/device/hwmon/*/temp*_input",
              "/sys/class/infiniband/*/device/hwmon/*/temp*_crit")
          .meaning(
              "A transceiver that is too hot makes bit errors, then switches off: the link goes"
                  + " down in the middle of a step, and comes back once it has cooled.")
          .remedy("Check the fans and the airflow at the card's slot, and clean the cage")
          .limit("margin", 5, "°C below critical", "ours")
          .limit("critical", 105, "°C where the adapter names none", "mlx5 thermal shutdown");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    TreeSet<String> asked = new TreeSet<>();
    int cool = 0;
    long hottest = Long.MIN_VALUE;
    for (RdmaPort port : RdmaDevices.require(exam.node())) {
      if (!asked.add(port.device())) {
        continue;
      }
      String folder = port.devicePath("device/hwmon");
      for (String monitor : exam.node().list(folder)) {
        for (String file : exam.node().list(folder + "/" + monitor)) {
          if (file.startsWith("temp") && file.endsWith("_input")) {
            String sensor = folder + "/" + monitor + "/" + file.substring(0, file.length() - 6);
            OptionalLong value = exam.node().number(sensor + "_input");
            if (value.isPresent() && !tooHot(exam, port, sensor, value.getAsLong())) {
              cool++;
              hottest = Math.max(hottest, value.getAsLong() / 1000);
            }
          }
        }
      }
    }
    if (cool > 0) {
      exam.pass(cool + " sensors, hottest " + hottest + " °C");
    } else {
      exam.skip("the adapters show no temperature");
    }
  }

  private static boolean tooHot(Examination exam, RdmaPort port, String sensor, long milli) {
    NodeView node = exam.node();
    long named = node.number(sensor + "_crit").orElse(0);
    // A module without a threshold of its own may say 0.
    double critical = named > 0 ? named : exam.limit("critical") * 1000;
    if (milli < critical - exam.limit("margin") * 1000) {
      return false;
    }
    exam.degraded(
            port.subject(),
            "%s is at %d °C; critical is %d °C"
                .formatted(
                    node.text(sensor + "_label").orElse("the adapter"),
                    milli / 1000,
                    (long) critical / 1000))
        .evidence(sensor + "_input", milli)
        .evidence(sensor + "_crit", (long) critical);
    return true;
  }
}
