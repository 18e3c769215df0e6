package dev.holdfast.doctor.network;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.util.OptionalLong;

/** Whether the node can talk to itself. */
public final class Loopback implements Check {
  private static final String FLAGS = "/sys/class/net/lo/flags";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "network.loopback",
              "Is the loopback interface up?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(FLAGS)
          .meaning(
              "Ranks of one node, agents and tools talk to each other over 127.0.0.1; without it the"
                  + " rendezvous of even a single-node job times out.")
          .remedy("ip link set dev lo up");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (exam.node().list("/sys/class/net").isEmpty()) {
      throw new Unavailable("/sys/class/net is not visible");
    }
    OptionalLong flags = exam.node().number(FLAGS);
    if (flags.isEmpty()) {
      // Every network namespace has the interface: a file that is not there was not shown to us.
      exam.skip("the state of the loopback interface is not visible");
    } else if ((flags.getAsLong() & 1) == 1) {
      exam.pass("up");
    } else {
      exam.fatal(exam.here(), "the loopback interface is down")
          .evidence(FLAGS, "0x" + Long.toHexString(flags.getAsLong()));
    }
  }
}
