package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether pause frames stop the RoCE network.
 *
 * <p>Received pauses mean that the switch told this port to wait: congestion elsewhere. Sent pauses
 * mean that this node cannot take what arrives, and stops others: the node that sends them is the
 * one to look at. The durations are microseconds (kernel document of the mlx5 counters).
 */
public final class NicPauseStorm implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.pause.storm",
              "Is the RoCE network free of pause storms?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads("probe ethtool-statistics/INTERFACE (pause durations, pause storm events)")
          .meaning(
              "A paused port sends nothing. Pauses spread from switch to switch, so one node that"
                  + " sends them without end can stop every job on the fabric, not only its own.")
          .remedy(
              "A node that sends pauses: drain it, look at its PCIe links and GPUs (holdfast doctor"
                  + " --only pcie.*), then reboot. One that receives them: follow the pauses to the"
                  + " switch port they come from; make sure the PFC watchdog is on there")
          .limit("received", 10, "% of the time", "ours: a tenth of the bandwidth is gone")
          .limit("sent", 1, "% of the time", "ours: a healthy receiver sends next to none")
          .limit("storms", 0, "events", "mlx5 counters: pause storm events of the firmware");

  private static final Duration WINDOW = Duration.ofHours(1);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  /** One sign of a storm on a port. */
  private record Sign(String words, String statistic, String value, boolean ours) {}

  @Override
  public void run(Examination exam) {
    int calm = 0;
    for (EthernetPort port : EthernetPort.require(exam.node())) {
      List<Sign> signs = new ArrayList<>();
      Optional<Change> last = Optional.empty();
      for (Map.Entry<String, Long> entry : port.statistics().entrySet()) {
        String name = entry.getKey();
        boolean storm = name.startsWith("tx_pause_storm_") && name.endsWith("_events");
        if (storm || name.endsWith("_pause_duration")) {
          Optional<Change> change = exam.change(port.key(name), entry.getValue(), WINDOW);
          last = change.isPresent() ? change : last;
          change.flatMap(grown -> sign(exam, name, grown, storm)).ifPresent(signs::add);
        }
      }
      if (last.isEmpty()) {
        exam.needsHistory();
      } else if (signs.isEmpty()) {
        calm++;
      } else {
        tell(exam, port, signs, last.get());
      }
    }
    if (calm > 0) {
      exam.pass(calm == 1 ? "1 port hardly paused" : calm + " ports hardly paused");
    }
  }

  private static Optional<Sign> sign(Examination exam, String name, Change change, boolean storm) {
    boolean sent = name.startsWith("tx_");
    if (storm) {
      String words =
          name.contains("error")
              ? " pause storms in which the adapter gave up pausing and may lose packets"
              : " pause storms";
      return change.increase() > exam.limit("storms")
          ? Optional.of(new Sign(change.increase() + words, name, "+" + change.increase(), true))
          : Optional.empty();
    }
    double percent = change.increase() / (change.elapsed().toMillis() * 1000.0) * 100;
    if (percent <= exam.limit(sent ? "sent" : "received")) {
      return Optional.empty();
    }
    String words =
        String.format(
            Locale.ROOT,
            sent ? "paused its switch port %.1f %% of the time" : "was paused %.1f %% of the time",
            Math.min(100, percent));
    return Optional.of(new Sign(words, name, "+" + change.increase() + " µs", sent));
  }

  private static void tell(Examination exam, EthernetPort port, List<Sign> signs, Change change) {
    boolean ours = signs.stream().anyMatch(Sign::ours);
    Draft draft =
        exam.degraded(
            port.port().subject(),
            "in the last %s this port: %s"
                .formatted(
                    Durations.show(change.elapsed()),
                    String.join("; ", signs.stream().map(Sign::words).toList().reversed())));
    signs.forEach(sign -> draft.evidence(port.source(sign.statistic()), sign.value()));
    draft.remedy(
        ours
            ? "Drain the node; look why it cannot take what arrives: holdfast doctor --only"
                + " 'pcie.*,gpu.*'; reboot it, and keep it out if the pauses return"
            : "Follow the pauses: look on the switch for the port that sends them (pause frames"
                + " per priority) and examine the node behind it");
  }
}
