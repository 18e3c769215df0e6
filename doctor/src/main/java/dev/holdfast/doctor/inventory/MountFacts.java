package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.NodeView;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * File systems a job relies on: every network file system, and local disks mounted beside the
 * system's own. Containers' overlays, user mounts and the kernel's own trees are left out.
 */
final class MountFacts {
  private static final String MOUNTS = "/proc/mounts";
  private static final int MAX_MOUNTS = 200;
  private static final Set<String> NETWORK =
      Set.of(
          "nfs",
          "nfs4",
          "lustre",
          "gpfs",
          "beegfs",
          "ceph",
          "cephfs",
          "wekafs",
          "cifs",
          "smb3",
          "glusterfs",
          "orangefs",
          "pvfs2",
          "afs",
          "panfs",
          "dtfs",
          "virtiofs",
          "9p",
          "dpc",
          "fuse.ceph",
          "fuse.glusterfs",
          "fuse.gcsfuse",
          "fuse.s3fs",
          "fuse.sshfs",
          "fuse.dfs",
          "fuse.juicefs",
          "fuse.mount-s3",
          "fuse.blobfuse2",
          "fuse.dfuse");
  private static final Set<String> LOCAL = Set.of("ext4", "ext3", "xfs", "btrfs", "zfs", "f2fs");
  private static final Set<String> OWN = Set.of("/", "/boot", "/boot/efi", "/usr", "/var", "/etc");

  private MountFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    Map<String, String> mounts = new TreeMap<>();
    for (String line : node.read(MOUNTS).text().orElse("").split("\n")) {
      String[] words = line.split(" ");
      if (words.length >= 4 && mounts.size() < MAX_MOUNTS && isWanted(words[1], words[2])) {
        mounts.put(words[1].replace("\\040", " "), words[2]);
      }
    }
    mounts.forEach((path, type) -> sheet.add("mount." + path, type, "", MOUNTS));
  }

  private static boolean isWanted(String path, String type) {
    boolean fleeting =
        path.startsWith("/var/lib/")
            || path.startsWith("/run/")
            || path.startsWith("/snap/")
            || path.startsWith("/etc/")
            || path.startsWith("/dev/")
            || path.startsWith("/proc/")
            || path.startsWith("/sys/");
    boolean local = LOCAL.contains(type) && !OWN.contains(path);
    return !fleeting && (NETWORK.contains(type) || local);
  }
}
