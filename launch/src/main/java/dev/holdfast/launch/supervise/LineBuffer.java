package dev.holdfast.launch.supervise;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.holdfast.os.libc.ChildOutput;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Bytes in, whole lines of UTF-8 out; no line longer than the limit. By one thread. */
final class LineBuffer {
  private static final int CHUNK = 1 << 14;

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

  /**
   * Reads all lines a child writes, until it is gone and everything was read. Closes the output.
   *
   * @param dead whether it has ended
   * @throws IllegalArgumentException when a line is longer than the limit
   */
  static void readAll(ChildOutput from, int limit, BooleanSupplier dead, Consumer<String> lines) {
    LineBuffer buffer = new LineBuffer(limit);
    byte[] bytes = new byte[CHUNK];
    try (from;
        Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(CHUNK, 8);
      int count = 0;
      while (count >= 0) {
        // Looked at before the read: what it wrote before its end is then read in any case.
        boolean ended = dead.getAsBoolean();
        count = from.read(chunk);
        if (count > 0) {
          MemorySegment.copy(chunk, JAVA_BYTE, 0, bytes, 0, count);
          buffer.add(bytes, count).forEach(lines);
        } else if (count == 0) {
          if (ended) {
            break;
          }
          from.await(-1);
        }
      }
    }
  }

  /** What came after the last line end, if anything. */
  String rest() {
    return open.toString(StandardCharsets.UTF_8);
  }
}
