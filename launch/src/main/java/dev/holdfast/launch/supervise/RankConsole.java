package dev.holdfast.launch.supervise;

import java.nio.charset.StandardCharsets;

/**
 * What of one rank is shown: its lines with its prefix, as many as it is allowed, and how many were
 * left out. Shared by the two streams of the rank.
 */
final class RankConsole {
  private static final long SECOND = 1_000_000_000L;

  private final ConsoleQueue queue;
  private final Allowance allowance;
  private final byte[] prefix;
  private final String file;
  private long hidden;
  private long told;

  RankConsole(ConsoleQueue queue, Allowance allowance, String prefix, String file) {
    this.queue = queue;
    this.allowance = allowance;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    this.file = file;
  }

  synchronized void line(boolean error, byte[] bytes, int length, long now) {
    if (!allowance.take(now)) {
      hidden++;
      return;
    }
    tellHidden(error, now);
    if (!queue.offer(error, framed(bytes, length))) {
      hidden++;
    }
  }

  /** Says how many lines were left out, once a second at most unless it is the end. */
  synchronized void tellHidden(boolean error, long now, boolean end) {
    if (end || now - told >= SECOND) {
      tellHidden(error, now);
    }
  }

  synchronized boolean hides() {
    return hidden > 0;
  }

  private void tellHidden(boolean error, long now) {
    if (hidden > 0) {
      String where = file.isEmpty() ? "" : ", see " + file;
      byte[] note = ("… " + hidden + " lines not shown" + where).getBytes(StandardCharsets.UTF_8);
      if (queue.offer(error, framed(note, note.length))) {
        hidden = 0;
        told = now;
      }
    }
  }

  private byte[] framed(byte[] bytes, int length) {
    byte[] line = new byte[prefix.length + length + 1];
    System.arraycopy(prefix, 0, line, 0, prefix.length);
    System.arraycopy(bytes, 0, line, prefix.length, length);
    line[line.length - 1] = '\n';
    return line;
  }
}
