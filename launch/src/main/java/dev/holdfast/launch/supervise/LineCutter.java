package dev.holdfast.launch.supervise;

import java.util.Arrays;

/**
 * Cuts a stream of any bytes into lines for the console. A line that is too long is shown up to the
 * limit, once. A progress bar, which returns to the start of its line again and again, is shown as
 * it is once a second and when its line ends.
 */
final class LineCutter {
  static final int LONGEST = 16 << 10;
  private static final long SECOND = 1_000_000_000L;
  private static final byte[] CUT = " …".getBytes(java.nio.charset.StandardCharsets.UTF_8);

  /** Who gets the lines. */
  @FunctionalInterface
  interface Lines {
    void line(byte[] bytes, int length);
  }

  private final Lines lines;
  private byte[] open = new byte[256];
  private int length;
  private boolean cut;
  private boolean returned;
  private byte[] progress = new byte[0];
  private long shown;

  LineCutter(Lines lines) {
    this.lines = lines;
  }

  void add(java.nio.ByteBuffer bytes, long now) {
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      if (next == '\n') {
        endLine();
      } else if (returned) {
        startOver(now);
        keep(next);
      } else if (next == '\r') {
        returned = true;
      } else {
        keep(next);
      }
    }
  }

  /** The stream is over: what has no line end is a line too. */
  void end() {
    if (length > 0 || progress.length > 0) {
      endLine();
    }
  }

  private void keep(byte next) {
    if (next == '\r') {
      returned = true;
      return;
    }
    if (length < LONGEST) {
      if (length == open.length) {
        open = Arrays.copyOf(open, Math.min(LONGEST + CUT.length, open.length * 4));
      }
      open[length++] = next;
    } else {
      cut = true;
    }
  }

  private void startOver(long now) {
    returned = false;
    if (length > 0) {
      progress = Arrays.copyOf(open, length);
      if (now - shown >= SECOND) {
        lines.line(progress, progress.length);
        shown = now;
        progress = new byte[0];
      }
    }
    length = 0;
    cut = false;
  }

  private void endLine() {
    if (length == 0 && progress.length > 0) {
      lines.line(progress, progress.length);
    } else if (cut) {
      byte[] line = Arrays.copyOf(open, length + CUT.length);
      System.arraycopy(CUT, 0, line, length, CUT.length);
      lines.line(line, line.length);
    } else {
      lines.line(open, length);
    }
    progress = new byte[0];
    returned = false;
    length = 0;
    cut = false;
  }
}
