package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a link went down and came back.
 *
 * <p>InfiniBand ports count it themselves; for RoCE the network interface does. One flap heals
 * itself and is only noted; what counts is that it comes again.
 */
public final class NicLinkFlap implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of("nic.link.flap", "Do links stay up?", FaultClass.HARDWARE, Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/counters/link_downed",
              "/sys/class/net/*/carrier_down_count",
              "probe kernel-log")
          .meaning(
              "While a link is down, RDMA connections over it time out; NCCL gives up after its"
                  + " retries (seconds) and the whole job ends, although the port looks healthy"
                  + " again when somebody comes to look.")
          .remedy(
              "Let the running job end, then reseat or swap cable and transceiver: mlxlink -d"
                  + " DEVICE -m -c; look at the switch port's own log")
          .limit("burst", 2, "in 5 min", "ByteRobust: two alerts in five minutes")
          .limit(
              "repeated",
              3,
              "in 12 h",
              "gpud: three drops make a flap; Azure healthagent: three in 3 h");

  private static final Duration BURST = Duration.ofMinutes(5);
  private static final Duration LONG = Duration.ofHours(12);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    int steady = 0;
    for (RdmaPort port : RdmaDevices.require(exam.node())) {
      String source = source(port);
      OptionalLong downs = exam.node().number(source);
      if (downs.isEmpty()) {
        exam.skip("the port does not count how often its link went down");
        continue;
      }
      String key = CounterWatch.key(port, "link_downed");
      Optional<Change> recent = exam.change(key, downs.getAsLong(), BURST);
      Optional<Change> whole = exam.change(key, downs.getAsLong(), LONG);
      Optional<Change> logged = logged(exam, port);
      if (whole.isEmpty() && logged.isPresent()) {
        tell(exam, port, source, downs.getAsLong(), logged.get(), logged.get());
      } else if (whole.isEmpty()) {
        exam.needsHistory();
      } else if (whole.get().increase() == 0 || isMerelyDown(port, whole.get())) {
        steady++;
      } else {
        tell(exam, port, source, downs.getAsLong(), recent.orElse(whole.get()), whole.get());
      }
    }
    if (steady > 0) {
      exam.pass(steady == 1 ? "1 port stayed as it was" : steady + " ports stayed as they were");
    }
  }

  /** What the kernel's log says of this port and the last hours; not every driver logs it. */
  private static List<KernelEvent> lines(Examination exam, RdmaPort port) {
    String address = port.pciAddress().orElse("none");
    Instant from = exam.node().now().minus(LONG);
    return exam.kernel().known("nic.link-down", "nic.unplugged").stream()
        .filter(event -> event.device().equals(address))
        .filter(event -> event.last().filter(from::isBefore).isPresent())
        .toList();
  }

  /** Without history the log can bear witness: how often the link went down, and since when. */
  private static Optional<Change> logged(Examination exam, RdmaPort port) {
    List<KernelEvent> lines = lines(exam, port);
    int count = lines.stream().mapToInt(KernelEvent::count).sum();
    return lines.stream()
        .findFirst()
        .flatMap(KernelEvent::first)
        .filter(_ -> count >= exam.limit("repeated"))
        .map(first -> new Change(count, Duration.between(first, exam.node().now())));
  }

  /** It went down once and is down: {@link NicLinkState} tells that. */
  private static boolean isMerelyDown(RdmaPort port, Change whole) {
    return whole.increase() == 1 && !port.active();
  }

  private static String source(RdmaPort port) {
    Optional<String> netDevice = port.ethernet() ? port.netDevice() : Optional.empty();
    return netDevice
        .map(name -> "/sys/class/net/" + name + "/carrier_down_count")
        .filter(path -> port.node().number(path).isPresent())
        .orElse(port.path("counters/link_downed"));
  }

  private static void tell(
      Examination exam, RdmaPort port, String source, long total, Change recent, Change whole) {
    boolean burst =
        recent.increase() >= exam.limit("burst") && recent.elapsed().compareTo(BURST) <= 0;
    boolean repeated = whole.increase() >= exam.limit("repeated");
    boolean inTime = whole.elapsed().compareTo(LONG) <= 0;
    Severity severity =
        burst || repeated && inTime
            ? Severity.DEGRADED
            : repeated ? Severity.WARNING : Severity.INFO;
    Change told = burst && !repeated ? recent : whole;
    List<KernelEvent> lines = lines(exam, port);
    Draft draft =
        exam.draft(
            port.subject(),
            severity,
            "the link went down %s in the last %s"
                .formatted(
                    told.increase() == 1 ? "once" : told.increase() + " times",
                    Durations.show(told.elapsed())));
    draft
        .event()
        .evidence(source, total)
        .evidence("growth in " + Durations.show(told.elapsed()), told.increase())
        .evidence(port.path("state"), port.state())
        .remedy(
            "Keep new jobs away, then reseat or swap the cable: mlxlink -d %s -m -c"
                .formatted(port.device()))
        .since(lines.stream().findFirst().flatMap(KernelEvent::first));
    for (KernelEvent event : lines.subList(0, Math.min(5, lines.size()))) {
      String when = event.first().map(time -> " at " + Times.show(time)).orElse("");
      draft.evidence("kernel log" + when, event.line());
    }
  }
}
