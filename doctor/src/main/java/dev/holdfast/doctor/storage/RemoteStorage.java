package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.kernel.KernelStory;
import java.util.List;

/**
 * Whether servers of network file systems were lost lately. When all mounts answer now, it is over
 * and only a warning; {@code storage.mounts} tells those that do not.
 */
public final class RemoteStorage implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.remote",
              "Have the servers of network file systems stayed reachable?",
              FaultClass.STORAGE,
              Proof.DOCUMENTED)
          .reads("kernel-log", "filesystems")
          .needs(Needs.SYSLOG)
          .meaning(
              "While a server is away, every rank that reads data or writes a checkpoint waits, and"
                  + " the others wait for it.")
          .remedy("Check the storage network of this node, then the server; compare other nodes");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> events =
        exam.kernel().require("nfs.unresponsive", "lustre.evicted", "lustre.connection");
    boolean hung =
        exam.node().probe("filesystems").text().map(FileSystem::parse).orElse(List.of()).stream()
            .anyMatch(FileSystem::hung);
    boolean told =
        new KernelStory(exam)
            .severity(event -> hung ? event.severity() : Severity.WARNING)
            .tell(events);
    if (!told) {
      exam.pass("none lost in the kernel log");
    }
  }
}
