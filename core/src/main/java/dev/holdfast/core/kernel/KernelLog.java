package dev.holdfast.core.kernel;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What does the kernel log of a node say that matters to a training run?
 *
 * <p>One pass finds the lines worth decoding ({@link LineDecoder}), repetitions become one event
 * ({@link Bursts}), and the events are then judged together ({@link Relations}): what follows from
 * what, and what the driver itself asks for. Garbage costs no more than text: lines are cut at
 * {@link KernelLine#MAXIMUM_LENGTH}, and the number of events is bounded.
 */
public final class KernelLog {
  /** Only the end of a longer text is read: the newest lines matter most. */
  public static final int MAXIMUM_TEXT = 64 * 1024 * 1024;

  private KernelLog() {}

  /**
   * Reads a whole log, oldest line first.
   *
   * @param boot when the node booted, to give wall times
   * @param driverVersion the NVIDIA driver, {@code 575.57.08}: NVLink 5 lines depend on it
   * @return events in the order of their first line
   */
  public static List<KernelEvent> decode(
      String text, Optional<Instant> boot, Optional<String> driverVersion) {
    LineDecoder decoder = new LineDecoder(driverVersion);
    Bursts bursts = new Bursts();
    int from = Math.max(0, text.length() - MAXIMUM_TEXT);
    long number = 0;
    while (from < text.length()) {
      int newline = text.indexOf('\n', from);
      int end = newline < 0 ? text.length() : newline;
      int bounded = Math.min(end, from + KernelLine.MAXIMUM_LENGTH);
      number++;
      if (decoder.marked(text, from, bounded)) {
        KernelLine line = KernelLine.parse(text.substring(from, bounded));
        Optional<Draft> draft = decoder.decode(line, number);
        if (draft.isPresent()) {
          draft.get().stamp(line, boot, number);
          bursts.add(draft.get());
        }
      }
      from = end + 1;
    }
    List<Draft> drafts = bursts.drafts();
    Relations.settle(drafts);
    return drafts.stream().map(Draft::event).toList();
  }
}
