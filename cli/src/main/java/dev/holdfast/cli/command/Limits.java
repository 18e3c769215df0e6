package dev.holdfast.cli.command;

import dev.holdfast.cli.command.Preflight.Item;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Do the limits of this process suffice for a job's ranks, which inherit them?
 *
 * @param text of /proc/self/limits
 * @param rdma whether there are adapters that pin memory
 */
record Limits(String text, boolean rdma) {
  /** A store holds up to four connections of each rank (torch clones its clients). */
  private static final int FILES_A_RANK = 4;

  /** What a launcher, a store or a rank has open beside that. */
  private static final int FILES_BESIDE = 256;

  /** Enough for the buffers of NCCL; less fails at the first queue pair. */
  private static final long LOCKED_LEAST = 1L << 30;

  static Limits ofThisProcess() {
    return new Limits(
        BoundedFile.read(Path.of("/proc/self/limits"), 1 << 16).text().orElse(""),
        !BoundedFile.list(Path.of("/sys/class/infiniband"), 1000).names().isEmpty());
  }

  Item openFiles(int worldSize, boolean store) {
    OptionalLong limit = hard("Max open files");
    if (limit.isEmpty()) {
      return Item.skip("open files", "/proc/self/limits does not tell");
    }
    long needed = FILES_BESIDE + (store ? (long) worldSize * FILES_A_RANK : 0);
    String found = "%s allowed, %d needed".formatted(shown(limit.getAsLong()), needed);
    return limit.getAsLong() >= needed
        ? Item.pass("open files", found)
        : Item.fail(
            "open files",
            found + (store ? " for %d ranks at the store".formatted(worldSize) : ""),
            "ulimit -n %d, or LimitNOFILE=%d for the service that starts jobs (slurmd, containerd)"
                .formatted(needed, needed));
  }

  Item lockedMemory() {
    if (!rdma) {
      return Item.skip("locked memory", "no RDMA adapter here");
    }
    OptionalLong limit = hard("Max locked memory");
    if (limit.isEmpty()) {
      return Item.skip("locked memory", "/proc/self/limits does not tell");
    }
    return limit.getAsLong() >= LOCKED_LEAST
        ? Item.pass("locked memory", shown(limit.getAsLong()))
        : Item.fail(
            "locked memory",
            limit.getAsLong() + " bytes; RDMA pins its buffers",
            "LimitMEMLOCK=infinity for the service that starts jobs (slurmd, containerd), or memlock"
                + " unlimited in /etc/security/limits.conf");
  }

  private static String shown(long limit) {
    return limit == Long.MAX_VALUE ? "unlimited" : Long.toString(limit);
  }

  private OptionalLong hard(String name) {
    Matcher line =
        Pattern.compile(
                "^" + Pattern.quote(name) + "\\s+(?:\\d+|unlimited)\\s+(\\d{1,18}|unlimited)",
                Pattern.MULTILINE)
            .matcher(text);
    if (!line.find()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        line.group(1).equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(line.group(1)));
  }
}
