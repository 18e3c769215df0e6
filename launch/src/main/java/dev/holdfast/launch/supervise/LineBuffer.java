package dev.holdfast.launch.supervise;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Bytes in, whole lines of UTF-8 out; no line longer than the limit. By one thread. */
final class LineBuffer {
  private final int limit;
  private final ByteArrayOutputStream open = new ByteArrayOutputStream(256);

  LineBuffer(int limit) {
    this.limit = limit;
  }

  /**
   * The lines that are now complete.
   *
   * @throws IllegalArgumentException when a line is longer than the limit
   */
  List<String> add(byte[] bytes, int length) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        open.write(bytes, start, i - start);
        lines.add(open.toString(StandardCharsets.UTF_8));
        open.reset();
        start = i + 1;
      }
    }
    open.write(bytes, start, length - start);
    if (open.size() > limit) {
      throw new IllegalArgumentException("a line of more than " + limit + " bytes");
    }
    return lines;
  }

  /** What came after the last line end, if anything. */
  String rest() {
    return open.toString(StandardCharsets.UTF_8);
  }
}
