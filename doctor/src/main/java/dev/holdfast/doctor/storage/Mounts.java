package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Mount;
import dev.holdfast.doctor.system.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether everything that should be mounted is, and answers. What should be mounted the site says
 * ({@code mounts}, or a fact {@code mount.PATH}); without it the host's own fstab does.
 */
public final class Mounts implements Check {
  private static final String TABLE = "/etc/fstab";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.mounts",
              "Is every file system mounted that should be, and does it answer?",
              FaultClass.STORAGE,
              Proof.HARDWARE)
          .reads("filesystems", Mount.PATH, TABLE)
          .meaning(
              "A missing mount is an empty folder: the job dies at once, or writes its checkpoints to"
                  + " the root disk. A hung one stops every process that touches it.")
          .remedy("mount PATH; then journalctl -b -u '*.mount' for why it was not");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<Mount> mounts = Mount.parse(exam.node().require(Mount.PATH));
    Set<String> present = mounts.stream().map(Mount::point).collect(Collectors.toSet());
    TreeMap<String, String> wanted = wanted(exam);
    boolean complete = true;
    for (var entry : wanted.entrySet()) {
      if (!present.contains(entry.getKey())) {
        complete = false;
        boolean asked = !entry.getValue().equals(TABLE);
        String summary = entry.getKey() + " is not mounted";
        var part = exam.here().part("mount", entry.getKey());
        Draft draft = asked ? exam.fatal(part, summary) : exam.degraded(part, summary);
        draft
            .evidence(entry.getValue(), entry.getKey())
            .evidence(Mount.PATH, "no such mount point")
            .remedy(INFO.remedy().replace("PATH", entry.getKey()));
      }
    }
    int answered = 0;
    for (FileSystem system : FileSystem.require(exam.node())) {
      if (system.answered()) {
        answered++;
      } else if (system.hung() || gone(system)) {
        complete = false;
        tell(exam, system, wanted.containsKey(system.point()));
      }
    }
    if (complete && answered > 0) {
      exam.pass(answered + " mounted and answering, " + wanted.size() + " of them expected");
    }
  }

  private static void tell(Examination exam, FileSystem system, boolean expected) {
    String summary = system.point() + (system.hung() ? " does not answer" : " has lost its server");
    var part = exam.here().part("mount", system.point());
    Draft draft = expected ? exam.fatal(part, summary) : exam.degraded(part, summary);
    draft
        .evidence("statvfs " + system.point(), system.state())
        .evidence("mounted from", system.source() + " (" + system.type() + ")")
        .remedy(
            "Check the server and the network to it; then umount -f -l %s && mount %s"
                .formatted(system.point(), system.point()));
  }

  private static boolean gone(FileSystem system) {
    return system.state().contains("ESTALE") || system.state().contains("ENOTCONN");
  }

  /** Mount point to where it is asked for. */
  private static TreeMap<String, String> wanted(Examination exam) {
    TreeMap<String, String> wanted = new TreeMap<>();
    for (String path : exam.site().expected("mounts").orElse("").split("[,\\s]+")) {
      if (path.startsWith("/")) {
        wanted.put(path, "expected mounts");
      }
    }
    for (String fact : exam.site().expected().keySet()) {
      if (fact.startsWith("mount./")) {
        wanted.put(fact.substring("mount.".length()), "expected " + fact);
      }
    }
    if (wanted.isEmpty() && !Identity.of(exam.node()).container()) {
      table(exam.node().read(TABLE).text().orElse("")).forEach(path -> wanted.put(path, TABLE));
    }
    return wanted;
  }

  /** The mount points fstab wants at boot. */
  static List<String> table(String text) {
    List<String> points = new ArrayList<>();
    for (String line : text.split("\n")) {
      String[] words = line.strip().split("\\s+");
      if (words.length < 4 || words[0].startsWith("#") || !words[1].startsWith("/")) {
        continue;
      }
      List<String> options = List.of(words[3].split(","));
      boolean later =
          options.contains("noauto")
              || options.contains("nofail")
              || options.contains("x-systemd.automount")
              || words[2].equals("swap");
      if (!later) {
        points.add(words[1].length() > 1 ? words[1].replaceAll("/+$", "") : words[1]);
      }
    }
    return points;
  }
}
