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
import java.util.stream.Collectors;

/**
 * Whether everything that fstab wants is mounted, and whether all that is mounted answers. What a
 * site expects beyond that, the check of its inventory tells.
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
    Set<String> present =
        Mount.parse(exam.node().require(Mount.PATH)).stream()
            .map(Mount::point)
            .collect(Collectors.toSet());
    List<String> wanted =
        Identity.of(exam.node()).container()
            ? List.of()
            : table(exam.node().read(TABLE).text().orElse(""));
    boolean complete = true;
    for (String path : wanted) {
      if (!present.contains(path) && !expected(exam, path)) {
        complete = false;
        exam.degraded(exam.here().part("mount", path), path + " is not mounted")
            .evidence(TABLE, path)
            .evidence(Mount.PATH, "no such mount point")
            .remedy(INFO.remedy().replace("PATH", path));
      }
    }
    int answered = 0;
    for (FileSystem system : FileSystem.require(exam.node())) {
      if (system.answered()) {
        answered++;
      } else if (system.hung() || gone(system)) {
        complete = false;
        tell(exam, system, expected(exam, system.point()));
      }
    }
    if (complete && answered > 0) {
      exam.pass(answered + " mounted and answering");
    }
  }

  /** Whether the site named it; then the check of the site's inventory tells when it is missing. */
  private static boolean expected(Examination exam, String path) {
    return exam.site().expected("mount." + path).isPresent();
  }

  private static void tell(Examination exam, FileSystem system, boolean expected) {
    String summary = system.point() + (system.hung() ? " does not answer" : " has lost its server");
    var part = exam.here().part("mount", system.point());
    // A server that is slow for seconds looks hung from every node at once; a single look must not
    // take all of them out of service. A lost handle does not come back by itself.
    boolean lost = expected && !system.hung();
    Draft draft = lost ? exam.fatal(part, summary) : exam.degraded(part, summary);
    draft
        .evidence("statvfs " + system.point(), system.state())
        .evidence("mounted from", system.source() + " (" + system.type() + ")")
        .remedy(
            "Check the server and the network to it: a hung mount goes on when they are back; if it"
                + " does not, drain the node, then umount -f -l %s && mount %s"
                    .formatted(system.point(), system.point()));
  }

  private static boolean gone(FileSystem system) {
    return system.state().contains("ESTALE") || system.state().contains("ENOTCONN");
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
        String point = words[1].replace("\\040", " ");
        points.add(point.length() > 1 ? point.replaceAll("/+$", "") : point);
      }
    }
    return points;
  }
}
