package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.system.Identity;
import java.util.List;

/**
 * Whether programs here can open the RDMA devices.
 *
 * <p>A container sees all adapters of its host in sysfs, whether or not it was given the device
 * files; only those count for a program.
 */
public final class RdmaDeviceFiles implements Check {
  private static final String VERBS = "/sys/class/infiniband_verbs";
  private static final String FILES = "/dev/infiniband";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "rdma.devices.permissions",
              "Are the device files of the RDMA adapters here?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(VERBS, FILES)
          .meaning(
              "Without its uverbs file an adapter does not exist for NCCL: it takes the remaining"
                  + " ones, or sockets, and the job is many times slower without an error.")
          .remedy(
              "Container: --device=/dev/infiniband (Kubernetes: the RDMA device plug-in's resource)."
                  + " Host: modprobe ib_uverbs");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    RdmaDevices.require(exam.node());
    List<String> wanted =
        exam.node().list(VERBS).stream().filter(name -> name.startsWith("uverbs")).toList();
    List<String> files = exam.node().list(FILES);
    List<String> missing = wanted.stream().filter(name -> !files.contains(name)).toList();
    if (wanted.isEmpty()) {
      exam.degraded(exam.here(), "RDMA adapters, but no verbs interface: ib_uverbs is not loaded")
          .evidence(VERBS, "empty or absent")
          .remedy("modprobe ib_uverbs");
    } else if (missing.isEmpty()) {
      exam.pass(wanted.size() + " device files");
    } else if (Identity.of(exam.node()).container() && missing.size() < wanted.size()) {
      exam.pass(
          "%d of %d device files were given to this container"
              .formatted(wanted.size() - missing.size(), wanted.size()));
    } else {
      // Many containers train on one node and need none; on the host it is a fault.
      Severity severity =
          Identity.of(exam.node()).container() ? Severity.WARNING : Severity.DEGRADED;
      exam.draft(
              exam.here(),
              severity,
              "%d of %d RDMA device files are missing".formatted(missing.size(), wanted.size()))
          .evidence(VERBS, wanted)
          .evidence(FILES, files.isEmpty() ? "empty or absent" : String.join(" ", files));
    }
  }
}
