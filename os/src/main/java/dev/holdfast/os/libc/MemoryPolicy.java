package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * From which NUMA nodes does this thread take memory? Like affinity it belongs to a thread and is
 * inherited by what the thread starts. Call from a platform thread.
 */
public record MemoryPolicy(Mode mode, BitSet nodes) {
  /** What the kernel calls the policies, in the order of its numbers. */
  public enum Mode {
    DEFAULT,
    PREFERRED,
    BIND,
    INTERLEAVE,
    LOCAL,
    PREFERRED_MANY,
    WEIGHTED_INTERLEAVE,
    OTHER
  }

  /** Flags the kernel adds to the number of the mode. */
  private static final int MODE_FLAGS = 0xe000;

  /** The policy of the calling thread. */
  public static MemoryPolicy current() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mode = arena.allocate(JAVA_INT);
      MemorySegment nodes = BitMask.empty(arena, BitMask.NODES);
      int result = Libc.memoryPolicy(mode, nodes, BitMask.NODES);
      if (result < 0) {
        throw new IOException("get_mempolicy: " + Errno.name(-result));
      }
      int number = mode.get(JAVA_INT, 0) & ~MODE_FLAGS;
      Mode[] modes = Mode.values();
      return new MemoryPolicy(
          number < Mode.OTHER.ordinal() ? modes[number] : Mode.OTHER, BitMask.read(nodes));
    }
  }

  /** Makes this the policy of the calling thread. */
  public void apply() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      boolean without = mode == Mode.DEFAULT || mode == Mode.LOCAL;
      MemorySegment mask = without ? MemorySegment.NULL : BitMask.of(arena, BitMask.NODES, nodes);
      int result = Libc.setMemoryPolicy(mode.ordinal(), mask, without ? 0 : BitMask.NODES);
      if (result < 0) {
        throw new IOException("set_mempolicy: " + Errno.name(-result));
      }
    }
  }
}
