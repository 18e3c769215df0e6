package dev.holdfast.os.nvml;

import java.util.Map;
import java.util.TreeMap;

/**
 * What went wrong or slowly while asking, as facts: {@code probe.hung=…}, {@code probe.slowest=…}.
 */
final class NvmlTroubles {
  private static final long WORTH_TELLING_NANOS = 20_000_000;

  private final Map<String, String> byKind = new TreeMap<>();
  private int count;
  private String slowest = "";
  private long slowestNanos;

  void add(String kind, String where) {
    count++;
    byKind.merge(kind, where, (first, second) -> first + ", " + second);
  }

  int count() {
    return count;
  }

  /** Notes how long a call took; a start of the child is no call. */
  void took(String call, int device, long nanos) {
    if (nanos > slowestNanos && call.startsWith("nvml")) {
      slowestNanos = nanos;
      slowest = device < 0 ? call : call + ":gpu " + device;
    }
  }

  void write(StringBuilder text) {
    byKind.forEach(
        (kind, where) -> text.append("probe.").append(kind).append('=').append(where).append('\n'));
    if (slowestNanos >= WORTH_TELLING_NANOS) {
      text.append("probe.slowest=").append(slowest).append(' ');
      text.append(slowestNanos / 1_000_000).append(" ms\n");
    }
  }
}
