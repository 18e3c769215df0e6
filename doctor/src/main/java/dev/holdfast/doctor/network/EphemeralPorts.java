package dev.holdfast.doctor.network;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the kernel hands out the ports on which training programs meet. */
public final class EphemeralPorts implements Check {
  private static final String RANGE = "/proc/sys/net/ipv4/ip_local_port_range";
  private static final String RESERVED = "/proc/sys/net/ipv4/ip_local_reserved_ports";
  private static final int FIRST = 29400;
  private static final int LAST = 29999;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "network.ports.ephemeral",
              "Are the rendezvous ports 29400 to 29999 kept out of the ephemeral range?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(RANGE, RESERVED)
          .meaning(
              "Any outgoing connection may be given the port a rendezvous wants (29400, 29500): once"
                  + " in a while a job fails at start with 'address already in use', and not again"
                  + " when tried.")
          .remedy(
              "sysctl -w net.ipv4.ip_local_reserved_ports=29400-29999; keep it in /etc/sysctl.d");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String range = exam.node().require(RANGE).strip();
    String[] ends = range.split("\\s+");
    int low = ends.length == 2 ? number(ends[0]) : -1;
    int high = ends.length == 2 ? number(ends[1]) : -1;
    String reserved = exam.node().text(RESERVED).orElse("");
    if (low < 0 || high < 0) {
      exam.skip(RANGE + " is not two numbers");
    } else if (low > LAST || high < FIRST) {
      exam.pass(low + " to " + high);
    } else if (covers(reserved, Math.max(low, FIRST), Math.min(high, LAST))) {
      exam.pass(low + " to " + high + ", with " + reserved + " reserved");
    } else {
      exam.warning(
              exam.here(),
              "outgoing connections may take the rendezvous ports: range %d to %d"
                  .formatted(low, high))
          .evidence(RANGE, range)
          .evidence(RESERVED, reserved.isEmpty() ? "none" : reserved);
    }
  }

  private static boolean covers(String reserved, int first, int last) {
    for (String part : reserved.split(",")) {
      String[] ends = part.strip().split("-", 2);
      int low = number(ends[0]);
      int high = ends.length == 2 ? number(ends[1]) : low;
      if (low >= 0 && low <= first && high >= last) {
        return true;
      }
    }
    return false;
  }

  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
