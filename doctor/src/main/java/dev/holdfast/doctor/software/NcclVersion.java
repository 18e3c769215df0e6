package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.NcclSupport;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which NCCL programs get here. LD_LIBRARY_PATH wins over the library a framework brought along, so
 * an old one on it replaces a newer one without a word. A newer one there is someone's choice.
 */
public final class NcclVersion implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.nccl.version",
              "Do programs get a NCCL that is new enough?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(
              "environment LD_LIBRARY_PATH",
              "libnccl.so.* in the folders of the linker",
              "site-packages/nvidia_nccl_cu*.dist-info")
          .meaning(
              "An older NCCL than the one the framework was built with ends at start with an"
                  + " undefined symbol, or runs without the new GPU's fast paths; ranks with"
                  + " different versions do not connect at all.")
          .remedy("Take the folder with the old libnccl out of LD_LIBRARY_PATH");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    List<Libraries.Found> linked = Libraries.find(exam.node(), variables, "libnccl.so");
    List<Libraries.Found> bundled = bundled(exam, variables);
    List<Libraries.Found> all = new ArrayList<>(linked);
    all.addAll(bundled);
    if (all.isEmpty()) {
      return;
    }
    Optional<Libraries.Found> first =
        linked.stream()
            .filter(found -> isListed(found.path(), variables.folders("LD_LIBRARY_PATH")))
            .findFirst();
    Optional<Libraries.Found> newest =
        all.stream().max((left, right) -> left.version().compareTo(right.version()));
    if (first.isPresent() && first.get().version().isBefore(newest.orElseThrow().version())) {
      exam.warning(
              exam.here(),
              "LD_LIBRARY_PATH puts NCCL %s before the newer %s"
                  .formatted(first.get().version(), newest.get().version()))
          .evidence(first.get().path(), first.get().version())
          .evidence(newest.get().path(), newest.get().version());
    }
    Libraries.Found used = first.or(() -> bundled.stream().findFirst()).orElse(all.getFirst());
    if (exam.accelerators().all().isEmpty()) {
      exam.pass("NCCL " + used.version());
    } else {
      judge(exam, used);
    }
  }

  private static void judge(Examination exam, Libraries.Found used) {
    for (Map.Entry<Version, Accelerator> entry : Capabilities.of(exam.accelerators()).entrySet()) {
      Optional<NcclSupport> need = NcclSupport.of(entry.getKey());
      if (need.isEmpty() || used.version().atLeast(need.get().nccl())) {
        exam.pass("NCCL " + used.version());
        continue;
      }
      Accelerator device = entry.getValue();
      exam.warning(
              device.subject(),
              "NCCL %s is older than %s, the first for %s"
                  .formatted(used.version(), need.get().nccl(), device.model()))
          .evidence(used.path(), used.version())
          .evidence(device.source("compute.capability"), entry.getKey())
          .remedy("Install NCCL " + need.get().nccl() + " or newer, or a newer framework");
    }
  }

  /** What frameworks brought along as Python packages. */
  private static List<Libraries.Found> bundled(Examination exam, Variables variables) {
    List<Libraries.Found> found = new ArrayList<>();
    for (PythonFolder folder : PythonFolders.of(exam.node(), variables)) {
      folder
          .packages()
          .forEach(
              (name, version) -> {
                if (name.startsWith("nvidia_nccl_cu")) {
                  found.add(new Libraries.Found(folder.path() + "/nvidia/nccl/lib", version));
                }
              });
    }
    return found;
  }

  private static boolean isListed(String path, List<String> folders) {
    return folders.contains(path.substring(0, path.lastIndexOf('/')));
  }
}
