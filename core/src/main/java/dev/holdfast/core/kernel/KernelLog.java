package dev.holdfast.core.kernel;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What does the kernel log of a node say that matters to a training run? */
public final class KernelLog {
  /** Only the end of a longer text is read: the newest lines matter most. */
  public static final int MAXIMUM_TEXT = 64 * 1024 * 1024;

  private KernelLog() {}

  /**
   * Reads a whole log, oldest line first.
   *
   * @param boot when the node booted, to give wall times
   * @param driverVersion the NVIDIA driver, {@code 575.57.08}: two decoders depend on it
   * @return events in the order of their first line
   */
  public static List<KernelEvent> decode(
      String text, Optional<Instant> boot, Optional<String> driverVersion) {
    Bursts bursts = new Bursts();
    int from = Math.max(0, text.length() - MAXIMUM_TEXT);
    while (from < text.length()) {
      int newline = text.indexOf('\n', from);
      int end = newline < 0 ? text.length() : newline;
      read(text.substring(from, Math.min(end, from + KernelLine.MAXIMUM_LENGTH)), boot)
          .ifPresent(bursts::add);
      from = end + 1;
    }
    return bursts.drafts().stream().map(Draft::event).toList();
  }

  private static Optional<Draft> read(String line, Optional<Instant> boot) {
    if (!line.contains(XidDecoder.MARKER)) {
      return Optional.empty();
    }
    KernelLine parsed = KernelLine.parse(line);
    int at = Math.max(0, parsed.text().indexOf(XidDecoder.MARKER));
    Optional<Draft> draft = XidDecoder.decode(parsed.text(), at);
    draft.ifPresent(found -> found.stamp(parsed, boot));
    return draft;
  }
}
