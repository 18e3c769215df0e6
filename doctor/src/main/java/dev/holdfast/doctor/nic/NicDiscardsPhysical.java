package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a RoCE adapter drops packets at the wire, for lack of room or for damage. */
public final class NicDiscardsPhysical implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.discards.physical",
              "Does the RoCE adapter take every packet that arrives?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads("probe ethtool-statistics/INTERFACE (…_discards_phy, rx_crc_errors_phy)")
          .meaning(
              "A packet dropped at the wire is a hole in an RDMA stream: everything after it is sent"
                  + " again. It means that flow control is not set up end to end, or that the PCIe"
                  + " side of the card cannot keep up.")
          .remedy(
              "Compare PFC and ECN of this port with its switch port (mlnx_qos -i INTERFACE), and"
                  + " check the card's PCIe link (holdfast doctor --only pcie.*)")
          .limit("discards", 100, "per second", "NVSentinel nic-health-monitor: transmit discards")
          .limit("damaged", 1, "per second", "ours: a sound cable damages none in a day");

  private static final Duration WINDOW = Duration.ofHours(1);
  private static final List<String> DISCARDS = List.of("rx_discards_phy", "tx_discards_phy");
  private static final List<String> DAMAGED = List.of("rx_crc_errors_phy", "rx_symbol_err_phy");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    int fine = 0;
    for (EthernetPort port : EthernetPort.require(exam.node())) {
      Tally tally = new Tally();
      DISCARDS.forEach(name -> judge(exam, port, name, "discards", "packets dropped", tally));
      DAMAGED.forEach(name -> judge(exam, port, name, "damaged", "damaged packets", tally));
      if (tally.judged == 0) {
        exam.needsHistory();
      } else if (tally.bad == 0) {
        fine++;
      }
    }
    if (fine > 0) {
      exam.pass(fine == 1 ? "1 port within limits" : fine + " ports within limits");
    }
  }

  private static final class Tally {
    private int judged;
    private int bad;
  }

  private static void judge(
      Examination exam, EthernetPort port, String name, String limit, String words, Tally tally) {
    OptionalLong value = port.value(name);
    if (value.isEmpty()) {
      return;
    }
    Optional<Change> change = exam.change(port.key(name), value.getAsLong(), WINDOW);
    if (change.isEmpty()) {
      return;
    }
    tally.judged++;
    if (change.get().perSecond() > exam.limit(limit)) {
      tally.bad++;
      exam.degraded(
              port.port().subject(),
              "%d %s at the wire in %s (%s)"
                  .formatted(
                      change.get().increase(), words, Durations.show(change.get().elapsed()), name))
          .evidence(port.source(name), value.getAsLong())
          .evidence("growth in " + Durations.show(change.get().elapsed()), change.get().increase());
    }
  }
}
