package dev.holdfast.bench.net;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.os.file.BoundedFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * May this process lock as much memory as RDMA pins? NCCL would only say that registering failed,
 * somewhere in the middle of joining, and other ranks would wait for it.
 */
final class RdmaLimit {
  private static final String ROW = "Max locked memory";
  private static final int LOCK_MEMORY = 14;

  /** Less than the buffers of one connection of NCCL, four megabytes each way. */
  private static final long LEAST = 8 << 20;

  private RdmaLimit() {}

  /**
   * @param root where /sys and /proc are
   * @throws IOException when it may not, and RDMA would be used
   */
  static void require(Map<String, String> environment, Path root) throws IOException {
    if (environment.getOrDefault("NCCL_IB_DISABLE", "0").equals("1") || !hasDevices(root)) {
      return;
    }
    long limit = limit(text(root, "proc/self/limits"));
    if (limit >= LEAST || mayExceed(text(root, "proc/self/status"))) {
      return;
    }
    throw new IOException(
        ("this rank may lock only %s of memory, too little for RDMA: ulimit -l unlimited; in"
                + " slurmd's unit LimitMEMLOCK=infinity, in a container --ulimit memlock=-1"
                + " (NCCL_IB_DISABLE=1 measures without RDMA)")
            .formatted(Bytes.of(limit)));
  }

  private static boolean hasDevices(Path root) {
    try (DirectoryStream<Path> devices =
        Files.newDirectoryStream(root.resolve("sys/class/infiniband"))) {
      return devices.iterator().hasNext();
    } catch (IOException none) {
      return false;
    }
  }

  private static String text(Path root, String file) {
    return BoundedFile.read(root.resolve(file), 1 << 16).text().orElse("");
  }

  /** The limit that binds, the first of the two; all there is when it is unlimited or not told. */
  private static long limit(String limits) {
    String row = limits.lines().filter(it -> it.startsWith(ROW)).findFirst().orElse("");
    try {
      return row.isEmpty()
          ? Long.MAX_VALUE
          : Long.parseLong(row.substring(ROW.length()).strip().split("\\s+", 2)[0]);
    } catch (NumberFormatException unlimited) {
      return Long.MAX_VALUE;
    }
  }

  /** With CAP_IPC_LOCK the limit does not bind. */
  private static boolean mayExceed(String status) {
    String mask =
        status
            .lines()
            .filter(it -> it.startsWith("CapEff:"))
            .map(it -> it.substring("CapEff:".length()).strip())
            .findFirst()
            .orElse("0");
    try {
      return (Long.parseUnsignedLong(mask, 16) >>> LOCK_MEMORY & 1) != 0;
    } catch (NumberFormatException garbled) {
      return false;
    }
  }
}
