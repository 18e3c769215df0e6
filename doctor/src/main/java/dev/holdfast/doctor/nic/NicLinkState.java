package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether every port that should be up is up.
 *
 * <p>Cards come with ports nobody cabled, so a port that is down is a fault only with a sign that
 * it was in use: it was up earlier in this boot, or most ports like it are up. The rest is told,
 * not judged.
 */
public final class NicLinkState implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.link.state",
              "Is every RDMA port that is in use up?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/state",
              "/sys/class/infiniband/*/ports/*/phys_state",
              "/sys/class/infiniband/*/ports/*/counters/link_downed",
              "/sys/class/net/*/flags")
          .meaning(
              "A collective uses every rail. With one port down it fails to start, hangs at the"
                  + " first all-reduce, or runs all ranks at the speed of the rails that are left.")
          .remedy(
              "Reseat the cable at both ends and look at the switch port; mlxlink -d DEVICE tells"
                  + " why the link does not come up");

  private static final Duration WINDOW = Duration.ofDays(7);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<String> unused = new ArrayList<>();
    int up = 0;
    for (List<RdmaPort> kind : RdmaDevices.kinds(RdmaDevices.require(exam.node()))) {
      long active = kind.stream().filter(RdmaPort::active).count();
      for (RdmaPort port : kind) {
        String state = port.state();
        boolean down = !state.equals("ACTIVE");
        Optional<Change> change = exam.change(CounterWatch.key(port, "down"), down ? 1 : 0, WINDOW);
        if (state.isEmpty()) {
          exam.skip("the state of a port cannot be read");
        } else if (!down) {
          up++;
        } else {
          Optional<String> sign = sign(exam, port, change, active, kind.size());
          sign.ifPresentOrElse(why -> tell(exam, port, state, why), () -> unused.add(port.name()));
        }
      }
    }
    String rest = unused.isEmpty() ? "" : "; not judged, never seen up: " + unused;
    if (up > 0) {
      exam.pass(up + " active" + rest);
    } else if (!unused.isEmpty()) {
      exam.skip("no port is up and nothing says that one was: " + unused);
    }
  }

  /** Why a port that is down should be up, if there is a reason. */
  private static Optional<String> sign(
      Examination exam, RdmaPort port, Optional<Change> change, long active, int alike) {
    if (port.state().equals("INIT") || port.state().equals("ARMED")) {
      return Optional.of("the cable is up, but no subnet manager has activated the port");
    }
    if (exam.site().expected(port.expectedRate()).isPresent()) {
      return Optional.of("the site expects it to run");
    }
    if (switchedOff(port)) {
      return Optional.empty();
    }
    if (change.isPresent() && change.get().increase() > 0) {
      return Optional.of("it was up earlier in this boot");
    }
    long downed = port.counter("counters/link_downed").orElse(0);
    if (downed > 0) {
      return Optional.of("the link went down " + downed + " times since the driver was loaded");
    }
    return alike >= 3 && active * 2 > alike
        ? Optional.of(active + " of " + alike + " ports like it are up")
        : Optional.empty();
  }

  private static boolean switchedOff(RdmaPort port) {
    boolean interfaceOff =
        port.ethernet()
            && port.netDevice()
                .map(name -> port.node().number("/sys/class/net/" + name + "/flags"))
                .filter(flags -> flags.isPresent() && (flags.getAsLong() & 1) == 0)
                .isPresent();
    return interfaceOff || port.physicalState().equals("Disabled");
  }

  private static void tell(Examination exam, RdmaPort port, String state, String why) {
    boolean noManager = state.equals("INIT") || state.equals("ARMED");
    exam.fatal(port.subject(), "the port is " + state + ": " + why)
        .evidence(port.path("state"), state)
        .evidence(port.path("phys_state"), port.physicalState())
        .evidence("why it should be up", why)
        .remedy(
            noManager
                ? "Find the subnet manager: sminfo -C %s -P %d; start opensm or UFM if there is none"
                    .formatted(port.device(), port.number())
                : "mlxlink -d %s tells why; reseat the cable at both ends, then look at the switch"
                        .formatted(port.device())
                    + " port");
  }
}
