package dev.holdfast.doctor.network;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether the interface of the default route loses frames.
 *
 * <p>Dropped frames are not counted here: the kernel also counts frames of protocols nobody listens
 * to, which come on every network.
 */
public final class InterfaceErrors implements Check {
  private static final String ROUTES = "/proc/net/route";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "network.interface.errors",
              "Is the interface of the default route free of errors?",
              FaultClass.NETWORK,
              Proof.HARDWARE)
          .reads(ROUTES, "/sys/class/net/*/statistics/*_errors")
          .meaning(
              "Rendezvous, data loading and checkpoints go over this interface; lost frames turn"
                  + " into timeouts at job start and slow reads that look like a slow store.")
          .remedy(
              "Reseat or swap the cable, and compare with the switch port: ethtool -S INTERFACE")
          .limit("errors", 1, "per second", "ours: a sound link has none for days");

  private static final Duration WINDOW = Duration.ofHours(1);
  private static final List<String> COUNTERS = List.of("rx_errors", "tx_errors");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String name = defaultInterface(exam.node());
    boolean judged = false;
    boolean told = false;
    for (String counter : COUNTERS) {
      String path = "/sys/class/net/" + name + "/statistics/" + counter;
      OptionalLong value = exam.node().number(path);
      Optional<Change> change =
          value.isEmpty()
              ? Optional.empty()
              : exam.change("net/" + name + "/" + counter, value.getAsLong(), WINDOW);
      judged |= change.isPresent();
      if (change.isPresent() && change.get().perSecond() > exam.limit("errors")) {
        told = true;
        exam.warning(
                exam.here().part("interface", name),
                "%d %s on %s in %s"
                    .formatted(
                        change.get().increase(),
                        counter,
                        name,
                        Durations.show(change.get().elapsed())))
            .evidence(path, value.getAsLong())
            .evidence(
                "growth in " + Durations.show(change.get().elapsed()), change.get().increase());
      }
    }
    if (!judged) {
      exam.needsHistory();
    } else if (!told) {
      exam.pass(name + ": within limits");
    }
  }

  /** The interface of the route to 0.0.0.0, or the check is skipped. */
  static String defaultInterface(NodeView node) {
    for (String line : node.require(ROUTES).split("\n")) {
      String[] columns = line.strip().split("\\s+");
      if (columns.length > 7 && columns[1].equals("00000000") && columns[7].equals("00000000")) {
        return columns[0];
      }
    }
    throw new Unavailable("no default route");
  }
}
