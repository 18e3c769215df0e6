package dev.holdfast.bench.net;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Is there room on this machine for the buffers of all ranks? Said before they are started. */
public final class BufferMemory {
  private static final Pattern AVAILABLE =
      Pattern.compile("(?m)^MemAvailable:\\s+([0-9]{1,15}) kB");

  private BufferMemory() {}

  /** Complains when ranks of this machine would need more than is free here. */
  public static void require(NetPlan plan) {
    String text = BoundedFile.read(Path.of("/proc/meminfo"), 1 << 16).text().orElse("");
    available(text).ifPresent(it -> require(plan, it));
  }

  static void require(NetPlan plan, long available) {
    if (plan.transport() == Transport.NCCL) {
      // Theirs are on the GPUs.
      return;
    }
    double each = (double) plan.largest() * (plan.needsOther() ? 2 : 1);
    if (each * plan.ranks() > available) {
      throw new IllegalArgumentException(
          "the buffers of %d ranks need %s of memory, %s each, and this machine has %s free: choose a smaller size (--max-bytes) or fewer ranks"
              .formatted(
                  plan.ranks(),
                  Bytes.of((long) (each * plan.ranks())),
                  Bytes.of((long) each),
                  Bytes.of(available)));
    }
  }

  /** What the kernel can give without swapping; unknown in other systems. */
  static OptionalLong available(String meminfo) {
    Matcher match = AVAILABLE.matcher(meminfo);
    return match.find()
        ? OptionalLong.of(Long.parseLong(match.group(1)) * 1024)
        : OptionalLong.empty();
  }
}
