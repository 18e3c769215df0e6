package dev.holdfast.doctor.container;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.system.Identity;
import java.util.List;
import java.util.Optional;

/**
 * Whether users may make the user namespaces that unprivileged containers are built on. Asked only
 * where a runtime is installed that needs them.
 */
public final class UserNamespaces implements Check {
  private static final String MOST = "/proc/sys/user/max_user_namespaces";
  private static final String CLONE = "/proc/sys/kernel/unprivileged_userns_clone";
  private static final String RESTRICTED = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

  private record Runtime(String name, String file, String profile) {}

  private static final List<Runtime> RUNTIMES =
      List.of(
          new Runtime("enroot", "/etc/enroot/enroot.conf", "/etc/apparmor.d/enroot"),
          new Runtime("Apptainer", "/etc/apptainer/apptainer.conf", "/etc/apparmor.d/apptainer"),
          new Runtime("Podman", "/etc/containers/policy.json", "/etc/apparmor.d/podman"));

  private static final CheckInfo INFO =
      CheckInfo.of(
              "container.namespaces.user",
              "May users start unprivileged containers?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(MOST, CLONE, RESTRICTED)
          .meaning("Every job that asks for a container image fails on this node at its start.")
          .remedy("sysctl -w user.max_user_namespaces=65536, and in /etc/sysctl.d to make it stay");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    NodeView node = exam.node();
    Optional<Runtime> runtime =
        RUNTIMES.stream().filter(candidate -> node.exists(candidate.file)).findFirst();
    if (runtime.isEmpty() || Identity.of(node).container()) {
      return;
    }
    String name = runtime.get().name;
    if (node.number(MOST).orElse(1) == 0) {
      exam.degraded(exam.here(), name + " cannot start containers: user namespaces are forbidden")
          .evidence(MOST, 0);
    } else if (node.number(CLONE).orElse(1) == 0) {
      exam.degraded(
              exam.here(), name + " cannot start containers: only root may make user namespaces")
          .evidence(CLONE, 0)
          .remedy(
              "sysctl -w kernel.unprivileged_userns_clone=1, and in /etc/sysctl.d to make it stay");
    } else if (node.number(RESTRICTED).orElse(0) == 1 && !node.exists(runtime.get().profile)) {
      exam.warning(exam.here(), "AppArmor restricts user namespaces and has no profile for " + name)
          .evidence(RESTRICTED, 1)
          .evidence(runtime.get().profile, "does not exist")
          .remedy(
              "Install the runtime's AppArmor profile, or: sysctl -w"
                  + " kernel.apparmor_restrict_unprivileged_userns=0");
    } else {
      exam.pass("users may start containers with " + name);
    }
  }
}
