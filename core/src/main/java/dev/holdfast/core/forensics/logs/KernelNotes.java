package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.kernel.KernelLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel log of one node tells, by the same rules as {@code holdfast doctor}.
 *
 * @param node empty: neither the name of the file nor its lines tell
 */
record KernelNotes(String node, String file, List<KernelEvent> events, long bytes) {
  /** Only the end of a longer log is read. */
  private static final int MOST_BYTES = 8 << 20;

  private static final int MOST_EVENTS = 64;
  private static final Pattern HOST =
      Pattern.compile(
          "^(?:[A-Z][a-z]{2} [ \\d]\\d [\\d:]{8}|\\d{4}-\\d\\d-\\d\\dT\\S{8,32}|\\d{10}\\.\\d{1,9})"
              + " ([\\w.-]{1,255}) kernel",
          Pattern.MULTILINE);
  private static final Set<Integer> MEMORY = Set.of(48, 63, 64, 94, 95, 140, 171, 172);

  static KernelNotes read(LogSource source, byte[] begin, InputStream in) throws IOException {
    byte[] buffer = Arrays.copyOf(begin, Math.max(64 * 1024, begin.length));
    int filled = begin.length;
    long bytes = filled;
    while (true) {
      if (filled == buffer.length && buffer.length < 2 * MOST_BYTES) {
        buffer = Arrays.copyOf(buffer, Math.min(2 * MOST_BYTES, 2 * buffer.length));
      } else if (filled == buffer.length) {
        System.arraycopy(buffer, MOST_BYTES, buffer, 0, MOST_BYTES);
        filled = MOST_BYTES;
      }
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        break;
      }
      filled += read;
      bytes += read;
    }
    int from = Math.max(0, filled - MOST_BYTES);
    String text = new String(buffer, from, filled - from, StandardCharsets.UTF_8);
    String node = source.node();
    Matcher host = HOST.matcher(text.substring(0, Math.min(text.length(), 16 * 1024)));
    if (node.isEmpty() && host.find()) {
      node = host.group(1);
    }
    return new KernelNotes(node, source.name(), events(text), bytes);
  }

  /** Of lines that were found among others. */
  static KernelNotes of(String node, String file, String text) {
    return new KernelNotes(node, file, events(text), 0);
  }

  private static List<KernelEvent> events(String text) {
    List<KernelEvent> kept = new ArrayList<>();
    for (KernelEvent event : KernelLog.decode(text, Optional.empty(), Optional.empty())) {
      if (event.severity() != Severity.INFO && kept.size() < MOST_EVENTS) {
        kept.add(event);
      }
    }
    return kept;
  }

  /** Whether it can have ended a run by itself. */
  static boolean serious(KernelEvent event) {
    return event.role() == KernelEvent.Role.CAUSE
        && (event.severity().atLeast(Severity.DEGRADED)
            || event.rule().equals("oom.cgroup")
            || event.rule().equals("oom.invoked")
            || event.rule().equals("nic.link-down")
            || event.isXid(94)
            || ofProgram(event));
  }

  /** What most programs that fail on a GPU leave in the log of its kernel. */
  static boolean ofProgram(KernelEvent event) {
    return event.isXid(13) || event.isXid(31) || event.isXid(43);
  }

  static FailureClass kind(KernelEvent event) {
    String rule = event.rule();
    if (rule.equals("xid")) {
      if (MEMORY.contains(event.code().orElse(-1))) {
        return FailureClass.ECC;
      }
      return event.faultClass() == FaultClass.USER || event.faultClass() == FaultClass.UNKNOWN
          ? FailureClass.CUDA_ERROR
          : FailureClass.LOST_GPU;
    }
    if (rule.contains(".ras.")) {
      return FailureClass.ECC;
    }
    if (rule.equals("sxid") || rule.startsWith("gpu.") || rule.startsWith("amdgpu.")) {
      return FailureClass.LOST_GPU;
    }
    if (rule.startsWith("oom.")) {
      return FailureClass.HOST_OUT_OF_MEMORY;
    }
    return switch (event.faultClass()) {
      case STORAGE -> FailureClass.STORAGE;
      case NETWORK -> FailureClass.NCCL_ERROR;
      case HARDWARE, SOFTWARE -> FailureClass.LOST_NODE;
      default -> FailureClass.UNKNOWN;
    };
  }
}
