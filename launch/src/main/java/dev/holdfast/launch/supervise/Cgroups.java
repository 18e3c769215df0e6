package dev.holdfast.launch.supervise;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.process.ProcessState;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Control groups of version 2 of our own, below the one we are in, where we may make them: one an
 * attempt, so that one write ends everybody in it, whatever they made of themselves. No controller
 * is switched on; nothing about resources changes.
 *
 * @param parent the group we are in ourselves
 */
record Cgroups(Path parent) {
  private static final String NAME = "holdfast-";
  private static final int LIMIT = 1 << 20;

  /** Ours, if this machine has one and we may write there. */
  static Optional<Cgroups> find() {
    String own = text(Path.of("/proc/self/cgroup"));
    String mounts = text(Path.of("/proc/self/mountinfo"));
    return parent(own, mounts).map(Cgroups::new).filter(Cgroups::writable);
  }

  /** Where the group is in the file system, from /proc/self/cgroup and /proc/self/mountinfo. */
  static Optional<Path> parent(String own, String mounts) {
    Optional<String> group =
        own.lines()
            .filter(line -> line.startsWith("0::/"))
            .map(line -> line.substring(3))
            .findFirst();
    if (group.isEmpty()) {
      return Optional.empty();
    }
    for (String line : mounts.lines().toList()) {
      int type = line.indexOf(" - cgroup2 ");
      String[] fields = line.split(" ", 6);
      if (type >= 0 && fields.length == 6) {
        Path root = Path.of(fields[3]);
        Path inside = Path.of(group.get());
        if (inside.startsWith(root)) {
          return Optional.of(Path.of(fields[4]).resolve(root.relativize(inside)).normalize());
        }
      }
    }
    return Optional.empty();
  }

  private boolean writable() {
    return Files.isWritable(parent) && Files.isWritable(parent.resolve("cgroup.procs"));
  }

  /** A new group, with the file that kills it; an old one of a supervisor that died is removed. */
  Path create(long supervisor, int attempt) throws IOException {
    Path group = Path.of(start(supervisor) + attempt);
    Files.createDirectories(group);
    if (!Files.exists(group.resolve("cgroup.kill"))) {
      remove(group);
      throw new IOException("this kernel has no cgroup.kill");
    }
    return group;
  }

  /** The start of the path of every group a supervisor makes. */
  String start(long supervisor) {
    return parent.resolve(NAME + supervisor + "-").toString();
  }

  /** Removes empty groups that supervisors left which are gone. */
  void removeLeftOvers() {
    String[] names = parent.toFile().list();
    for (String name : names == null ? new String[0] : names) {
      String[] parts = name.split("-", -1);
      if (name.startsWith(NAME) && parts.length == 3 && parts[1].matches("[0-9]{1,9}")) {
        if (!ProcessState.alive(Long.parseLong(parts[1]))) {
          remove(parent.resolve(name));
        }
      }
    }
  }

  /** Moves a process there, with all its threads. */
  static void enter(Path group, long pid) throws IOException {
    Files.writeString(
        group.resolve("cgroup.procs"),
        Long.toString(pid),
        StandardCharsets.US_ASCII,
        StandardOpenOption.WRITE);
  }

  static void kill(Path group) {
    try {
      Files.writeString(
          group.resolve("cgroup.kill"), "1", StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    } catch (IOException gone) {
      // The scan of descendants comes after it in any case.
    }
  }

  /** Everybody in the group and in groups made below it. */
  static List<Long> members(Path group) {
    List<Long> members = new ArrayList<>();
    for (String line : text(group.resolve("cgroup.procs")).lines().toList()) {
      members.add(Long.parseLong(line));
    }
    below(group).forEach(it -> members.addAll(members(it)));
    return members;
  }

  static void remove(Path group) {
    below(group).forEach(Cgroups::remove);
    // Not recursive deletion: a group is a folder whose files go with it, and only when it is
    // empty.
    var _ = group.toFile().delete();
  }

  private static List<Path> below(Path group) {
    File[] entries = group.toFile().listFiles(File::isDirectory);
    List<Path> groups = new ArrayList<>();
    for (File entry : entries == null ? new File[0] : entries) {
      groups.add(entry.toPath());
    }
    return groups;
  }

  private static String text(Path file) {
    return BoundedFile.read(file, LIMIT).text().orElse("");
  }
}
