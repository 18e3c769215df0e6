package dev.holdfast.doctor.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One row of {@code /proc/self/mountinfo}.
 *
 * <p>That file and not {@code /proc/mounts}, because it tells two things apart: what the one who
 * mounted asked for ({@code options}) and what the file system itself has become ({@code
 * superOptions}). A disk the kernel made read-only after an error is {@code rw} in the first and
 * {@code ro} in the second.
 *
 * @param device the number {@code 259:2} of the device; the same for every bind of one file system
 * @param root which directory of the file system is mounted
 * @param source what is mounted: {@code /dev/nvme0n1p2}, {@code server:/export}
 */
public record Mount(
    String device,
    String root,
    String point,
    List<String> options,
    String type,
    String source,
    List<String> superOptions) {
  public static final String PATH = "/proc/self/mountinfo";

  private static final int MAXIMUM = 4096;
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "vfat", "overlay");
  private static final Set<String> NETWORK =
      Set.of(
          "nfs",
          "nfs4",
          "lustre",
          "gpfs",
          "beegfs",
          "ceph",
          "cifs",
          "smb3",
          "wekafs",
          "glusterfs",
          "9p",
          "virtiofs",
          "afs",
          "panfs",
          "orangefs",
          "pvfs2",
          "daos",
          "quobyte");

  public Mount {
    options = List.copyOf(options);
    superOptions = List.copyOf(superOptions);
  }

  /** The rows of the file; lines of another form are passed over. */
  public static List<Mount> parse(String text) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : text.split("\n", MAXIMUM + 1)) {
      String[] words = line.split(" ");
      int dash = separator(words);
      if (dash > 0 && words.length >= dash + 4 && mounts.size() < MAXIMUM) {
        mounts.add(
            new Mount(
                words[2],
                plain(words[3]),
                plain(words[4]),
                List.of(words[5].split(",")),
                words[dash + 1],
                plain(words[dash + 2]),
                List.of(words[dash + 3].split(","))));
      }
    }
    return mounts;
  }

  /** A file system on a disk of this machine. */
  public boolean local() {
    return LOCAL.contains(type);
  }

  /** A file system whose server may be gone. */
  public boolean network() {
    return NETWORK.contains(type) || type.startsWith("fuse.") || type.equals("fuse");
  }

  public boolean memory() {
    return type.equals("tmpfs");
  }

  private static int separator(String[] words) {
    for (int i = 6; i < words.length; i++) {
      if (words[i].equals("-")) {
        return i;
      }
    }
    return -1;
  }

  /** Undoes the octal escapes for blank, tab, line break and backslash. */
  private static String plain(String escaped) {
    return escaped
        .replace("\\040", " ")
        .replace("\\011", " ")
        .replace("\\012", " ")
        .replace("\\134", "\\");
  }
}
