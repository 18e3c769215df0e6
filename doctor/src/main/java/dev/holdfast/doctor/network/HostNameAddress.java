package dev.holdfast.doctor.network;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.RdmaDevices;
import java.util.Arrays;
import java.util.List;

/**
 * Whether the node's own name leads to an address others can reach.
 *
 * <p>Debian and Ubuntu write {@code 127.0.1.1 hostname} into /etc/hosts. On a workstation that is
 * harmless. On a node of a cluster Gloo and MPI look up the node's own name to tell others where to
 * connect, and announce the loopback address. So it is a finding only where the node looks like one
 * of many: it has RDMA, or Slurm started us.
 */
public final class HostNameAddress implements Check {
  private static final String HOSTS = "/etc/hosts";
  private static final String NAME = "/proc/sys/kernel/hostname";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "network.hostname",
              "Does the node's own name lead to an address others can reach?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads(HOSTS, NAME, "probe environment")
          .meaning(
              "Gloo, MPI and some launchers announce the address their own name resolves to. With"
                  + " 127.0.1.1 the other nodes connect to themselves: the job hangs at start with"
                  + " 'connection refused' or a timeout.")
          .remedy(
              "Remove the node's name from the 127.* line of /etc/hosts, or give it its real"
                  + " address; for one job: export GLOO_SOCKET_IFNAME=INTERFACE");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String name = exam.node().require(NAME).strip();
    List<String> lines =
        exam.node()
            .require(HOSTS)
            .lines()
            .map(line -> line.split("#", 2)[0].strip())
            .filter(line -> names(line).contains(name))
            .toList();
    boolean reachable = lines.stream().anyMatch(line -> !loopback(line));
    boolean announced =
        exam.node().probe("environment").text().orElse("").contains("GLOO_SOCKET_IFNAME=");
    if (lines.isEmpty()) {
      exam.pass(HOSTS + " does not name " + name + ": left to the resolver");
    } else if (reachable) {
      exam.pass(lines.getFirst());
    } else if (announced || !oneOfMany(exam)) {
      exam.pass(lines.getFirst() + " (matters only for runs of several nodes)");
    } else {
      exam.warning(exam.here(), "the node's own name " + name + " leads to the loopback address")
          .evidence(HOSTS, lines.getFirst())
          .evidence(NAME, name);
    }
  }

  private static boolean oneOfMany(Examination exam) {
    String environment = exam.node().probe("environment").text().orElse("");
    return !RdmaDevices.ports(exam.node()).isEmpty() || environment.contains("SLURM_JOB_ID=");
  }

  private static List<String> names(String line) {
    String[] words = line.split("\\s+");
    return Arrays.asList(words).subList(Math.min(1, words.length), words.length);
  }

  private static boolean loopback(String line) {
    return line.startsWith("127.") || line.startsWith("::1");
  }
}
