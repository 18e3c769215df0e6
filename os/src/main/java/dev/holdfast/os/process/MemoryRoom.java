package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How much memory is there, and how much of it could be had? What the kernel says of the machine,
 * or of the narrowest control group around us.
 *
 * @param total in bytes; 0: not known
 * @param available in bytes, without swapping
 * @param group the control group that leaves no more than that; empty: the machine itself
 */
public record MemoryRoom(long total, long available, String group) {
  private static final int LIMIT = 1 << 16;

  /** Of the machine itself. */
  public MemoryRoom(long total, long available) {
    this(total, available, "");
  }

  /**
   * @param root where proc and sys are: {@code /}
   */
  public static MemoryRoom now(Path root) {
    Path info = root.resolve("proc/meminfo");
    MemoryRoom room =
        new MemoryRoom(
            field(info, "MemTotal:").orElse(0L) << 10,
            field(info, "MemAvailable:").orElse(0L) << 10);
    Path groups = root.resolve("sys/fs/cgroup");
    for (String line : text(root.resolve("proc/self/cgroup")).lines().toList()) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[2].startsWith("/")) {
        String inside = parts[2].substring(1);
        if (parts[1].isEmpty()) {
          room = room.within(groups, inside, "memory.max", "memory.current", "inactive_file");
        } else if (List.of(parts[1].split(",")).contains("memory")) {
          room =
              room.within(
                  groups.resolve("memory"),
                  inside,
                  "memory.limit_in_bytes",
                  "memory.usage_in_bytes",
                  "total_inactive_file");
        }
      }
    }
    return room;
  }

  /** The group we are in and those around it, as far as they are seen from here. */
  private MemoryRoom within(Path groups, String inside, String limit, String used, String unused) {
    MemoryRoom room = this;
    Path group = groups.resolve(inside).normalize();
    while (group != null && group.startsWith(groups)) {
      room =
          room.within(
              "/" + groups.relativize(group),
              number(text(group.resolve(limit))),
              number(text(group.resolve(used))),
              field(group.resolve("memory.stat"), unused).orElse(0L));
      group = group.getParent();
    }
    return room;
  }

  private MemoryRoom within(String name, Optional<Long> limit, Optional<Long> used, long cache) {
    if (total == 0 || limit.isEmpty() || used.isEmpty()) {
      return this;
    }
    long least = Math.min(total, limit.get());
    long left = Math.max(0, limit.get() - used.get() + cache);
    return left < available
        ? new MemoryRoom(least, left, name)
        : new MemoryRoom(least, available, group);
  }

  /** What a process has in memory, in bytes; what it shares with others is counted too. */
  public static long of(long pid) {
    return field(Path.of("/proc/" + pid + "/status"), "VmRSS:").orElse(0L) << 10;
  }

  private static Optional<Long> field(Path file, String name) {
    return text(file)
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "\t"))
        .findFirst()
        .flatMap(line -> number(line.substring(name.length())));
  }

  private static Optional<Long> number(String text) {
    String first = text.strip().split("\\s", 2)[0];
    return first.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(first)) : Optional.empty();
  }

  private static String text(Path file) {
    return BoundedFile.read(file, LIMIT).text().orElse("");
  }
}
