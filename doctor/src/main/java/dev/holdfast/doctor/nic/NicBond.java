package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Whether every leg of a bonded interface carries traffic. */
public final class NicBond implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.bond",
              "Are all legs of bonded interfaces up and in one group?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads("/proc/net/bonding/*")
          .meaning(
              "A bond hides a dead leg: everything works at half the bandwidth, until the other"
                  + " leg goes and the node with it. Storage and checkpoints slow down first.")
          .remedy(
              "Reseat the cable of the leg that is down; if both are up but in different groups,"
                  + " correct the LACP settings of the switch ports: cat /proc/net/bonding/BOND");

  private static final int MAX_LINES = 2000;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  /** What the file says of one leg. */
  private record Leg(String name, String status, String aggregator) {}

  @Override
  public void run(Examination exam) {
    List<String> bonds = exam.node().list("/proc/net/bonding");
    if (bonds.isEmpty()) {
      throw new Unavailable("no bonded interface on the node");
    }
    for (String bond : bonds) {
      String path = "/proc/net/bonding/" + bond;
      List<Leg> legs = legs(exam.node().require(path));
      if (legs.isEmpty()) {
        exam.skip("a bonded interface has no legs: it is not in use");
        continue;
      }
      int sound = 0;
      for (Leg leg : legs) {
        if (leg.status().equals("down")) {
          exam.degraded(
                  exam.here().part("interface", bond),
                  "the leg %s of %s is down: %d of %d legs carry traffic"
                      .formatted(leg.name(), bond, up(legs), legs.size()))
              .evidence(path + " " + leg.name(), "MII Status: " + leg.status());
        } else {
          sound++;
        }
      }
      TreeSet<String> groups = new TreeSet<>(legs.stream().map(Leg::aggregator).toList());
      if (sound == legs.size() && groups.size() > 1) {
        exam.degraded(
                exam.here().part("interface", bond),
                "the legs of %s are in different LACP groups: only one group carries traffic"
                    .formatted(bond))
            .evidence(path, "Aggregator IDs " + groups);
      } else if (sound == legs.size()) {
        exam.pass(bond + ": " + sound + " legs up");
      }
    }
  }

  private static long up(List<Leg> legs) {
    return legs.stream().filter(leg -> leg.status().equals("up")).count();
  }

  private static List<Leg> legs(String text) {
    List<Leg> legs = new ArrayList<>();
    for (String line : text.lines().limit(MAX_LINES).toList()) {
      int colon = line.indexOf(": ");
      String value = colon < 0 ? "" : line.substring(colon + 2).strip();
      if (line.startsWith("Slave Interface: ")) {
        legs.add(new Leg(value, "", ""));
      } else if (!legs.isEmpty() && line.startsWith("MII Status: ")) {
        legs.add(new Leg(legs.removeLast().name(), value, ""));
      } else if (!legs.isEmpty() && line.startsWith("Aggregator ID: ")) {
        Leg leg = legs.removeLast();
        legs.add(new Leg(leg.name(), leg.status(), value));
      }
    }
    return legs;
  }
}
