package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.Mount;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * File systems a job relies on: every network file system, and local disks mounted beside the
 * system's own. Containers' overlays, user mounts and the kernel's own trees are left out.
 */
final class MountFacts {
  private static final int MAX_MOUNTS = 200;
  private static final Set<String> OWN = Set.of("/", "/boot", "/boot/efi", "/usr", "/var", "/etc");
  private static final List<String> FLEETING =
      List.of("/var/lib/", "/run/", "/snap/", "/etc/", "/dev/", "/proc/", "/sys/", "/tmp/");

  private MountFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    Map<String, String> mounts = new TreeMap<>();
    for (Mount mount : Mount.parse(node.read(Mount.PATH).text().orElse(""))) {
      if (mounts.size() < MAX_MOUNTS && isWanted(mount)) {
        mounts.put(mount.point(), mount.type());
      }
    }
    mounts.forEach((path, type) -> sheet.add("mount." + path, type, "", Mount.PATH));
  }

  private static boolean isWanted(Mount mount) {
    boolean fleeting = FLEETING.stream().anyMatch(mount.point()::startsWith);
    boolean disk = mount.local() && !mount.type().equals("overlay") && !OWN.contains(mount.point());
    return !fleeting && (mount.network() || disk);
  }
}
