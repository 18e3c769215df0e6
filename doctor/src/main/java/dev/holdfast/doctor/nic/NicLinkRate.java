package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Whether every active port runs at the rate of those like it, or the rate the site expects. */
public final class NicLinkRate implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.link.rate",
              "Does every RDMA port run at the rate of its siblings?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads("/sys/class/infiniband/*/ports/*/rate", "expected nic.DEVICE.rate")
          .meaning(
              "All rails carry equal shares of a collective, so one port at half the rate makes"
                  + " every rank wait: the job runs at the speed of the slowest port.")
          .remedy(
              "Reseat or swap the cable: a link that lost lanes or speed trains lower. Compare both"
                  + " ends with: mlxlink -d DEVICE -m");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, Integer> seen = new TreeMap<>();
    for (List<RdmaPort> kind : RdmaDevices.kinds(RdmaDevices.requireActive(exam.node()))) {
      Optional<OptionalDouble> usual = RdmaDevices.majority(kind, RdmaPort::gigabits);
      for (RdmaPort port : kind) {
        judge(exam, port, wanted(exam, port, usual, kind.size()), seen);
      }
    }
    if (!seen.isEmpty()) {
      exam.pass(
          String.join(
              ", ", seen.entrySet().stream().map(e -> e.getValue() + " × " + e.getKey()).toList()));
    }
  }

  private record Wanted(double gigabits, String why) {}

  private static Optional<Wanted> wanted(
      Examination exam, RdmaPort port, Optional<OptionalDouble> usual, int alike) {
    OptionalDouble expected =
        exam.site()
            .expected(port.expectedRate())
            .map(NicLinkRate::number)
            .orElse(OptionalDouble.empty());
    if (expected.isPresent()) {
      return Optional.of(new Wanted(expected.getAsDouble(), "the site expects"));
    }
    return usual
        .filter(rate -> rate.isPresent() && alike >= 3)
        .map(rate -> new Wanted(rate.getAsDouble(), "most ports like it run at"));
  }

  private static void judge(
      Examination exam, RdmaPort port, Optional<Wanted> wanted, Map<String, Integer> seen) {
    OptionalDouble rate = port.gigabits();
    if (rate.isEmpty()) {
      exam.skip("the rate of a port cannot be read");
      return;
    }
    if (wanted.isPresent() && rate.getAsDouble() < wanted.get().gigabits()) {
      exam.degraded(
              port.subject(),
              "the port runs at %s Gb/s; %s %s Gb/s"
                  .formatted(
                      CounterWatch.plain(rate.getAsDouble()),
                      wanted.get().why(),
                      CounterWatch.plain(wanted.get().gigabits())))
          .evidence(port.path("rate"), port.text("rate").orElse(""))
          .evidence(wanted.get().why(), CounterWatch.plain(wanted.get().gigabits()) + " Gb/s")
          .remedy(
              "Reseat or swap the cable; mlxlink -d %s -m shows the lanes and what the other end"
                      .formatted(port.device())
                  + " offers");
    } else {
      seen.merge(port.text("rate").orElse(""), 1, Integer::sum);
    }
  }

  private static OptionalDouble number(String text) {
    try {
      return OptionalDouble.of(Double.parseDouble(text.strip().split("[^0-9.]", 2)[0]));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }
}
