package dev.holdfast.doctor.inventory;

import dev.holdfast.core.health.Fact;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Mount;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.site.Requirement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Does the node consist of what the site expects?
 *
 * <p>Some expected facts belong to checks that can say more: the number of GPUs, the number of RDMA
 * devices and the rates of their links. They are left to those, so that one loss is told once.
 */
public final class SiteInventory implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "site.inventory",
              "Does the node consist of what the site expects?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads("the file given with --expect", "the inventory of the node")
          .meaning(
              "Ranks wait for the weakest node: one with less memory, a slower part, other firmware"
                  + " or a missing file system slows or ends the whole job.")
          .remedy(
              "Bring the node to the expected state; if the site has changed, learn again from a"
                  + " good node: holdfast doctor --learn");

  private static final Set<String> FEWER_IS_WORSE =
      Set.of(
          "nic.count",
          "nic.rdma.count",
          "memory.bytes",
          "gpu.memory.bytes",
          "processor.count",
          "processor.sockets",
          "numa.nodes");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, Requirement> expected = exam.site().expectation().requirements();
    if (expected.isEmpty()) {
      throw new Unavailable("no expected inventory was given (--expect FILE)");
    }
    Map<String, Fact> facts = new LinkedHashMap<>();
    Inventory.of(exam.node(), exam.accelerators()).forEach(fact -> facts.put(fact.name(), fact));
    int met = 0;
    for (Map.Entry<String, Requirement> entry : expected.entrySet()) {
      String name = entry.getKey();
      Requirement wanted = entry.getValue();
      Fact fact = facts.get(name);
      if (isTold(exam, name, wanted)) {
        continue;
      }
      if (fact == null) {
        absent(exam, name, wanted);
      } else if (wanted.accepts(name, fact.value())) {
        met++;
      } else {
        differs(exam, fact, wanted);
      }
    }
    if (met > 0) {
      exam.pass(met + " facts are as expected");
    }
  }

  /** Whether another check tells this one. */
  private static boolean isTold(Examination exam, String name, Requirement wanted) {
    boolean single = wanted.single().isPresent();
    if (name.equals("gpu.count") || (single && name.equals("nic.rdma.count"))) {
      return true;
    }
    if (name.startsWith("gpu.") && exam.accelerators().all().isEmpty()) {
      return exam.site().expectation().requirements().containsKey("gpu.count");
    }
    if (single && name.startsWith("nic.") && name.endsWith(".rate")) {
      String device = name.substring("nic.".length()).split("\\.", 2)[0];
      return exam.node().list("/sys/class/infiniband").contains(device);
    }
    return false;
  }

  private static void absent(Examination exam, String name, Requirement wanted) {
    if (name.startsWith("mount.")) {
      String path = name.substring("mount.".length());
      if (exam.node().read(Mount.PATH).text().isPresent()) {
        exam.degraded(exam.here().part("mount", path), path + " is not mounted")
            .evidence(Mount.PATH, "no file system at " + path)
            .evidence("expected " + name, wanted.words())
            .remedy("mount " + path + "; then see why it was not: journalctl -b -u '*.mount'");
        return;
      }
    } else if (name.startsWith("nic.") && name.endsWith(".rate")) {
      String device = name.substring("nic.".length(), name.length() - ".rate".length());
      exam.degraded(
              exam.here(), device + " has no running link; the site expects " + wanted.words())
          .evidence("expected " + name, wanted.words())
          .evidence("/sys/class/net, /sys/class/infiniband", "no rate of " + device)
          .remedy(
              "See whether it is there and up: ip link show " + device + "; lspci | grep -i net");
      return;
    }
    exam.skip("some expected facts cannot be read here: " + name);
  }

  private static void differs(Examination exam, Fact fact, Requirement wanted) {
    Draft draft =
        exam.draft(
                fact.subject(),
                severity(fact, wanted),
                "%s is %s; the site expects %s"
                    .formatted(fact.name(), fact.value(), wanted.words()))
            .evidence(fact.source(), fact.value())
            .evidence("expected " + fact.name(), wanted.words());
    if (fact.name().startsWith("sysctl.") && wanted.single().isPresent()) {
      String setting = fact.name().substring("sysctl.".length());
      draft.remedy(
          "sysctl -w '%s=%s', and the same in /etc/sysctl.d/ so that it stays"
              .formatted(setting, wanted.words()));
    }
  }

  private static Severity severity(Fact fact, Requirement wanted) {
    String name = fact.name();
    if (FEWER_IS_WORSE.contains(name)) {
      return wanted.isAbove(name, fact.value()) ? Severity.DEGRADED : Severity.WARNING;
    }
    boolean part = List.of("gpu.model", "gpu.mig.mode", "gpu.ecc.mode").contains(name);
    return part || name.endsWith(".rate") ? Severity.DEGRADED : Severity.WARNING;
  }
}
