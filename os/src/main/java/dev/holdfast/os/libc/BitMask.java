package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** A set of numbers as the kernel wants it: unsigned longs, the lowest first. */
final class BitMask {
  /** More CPUs than any kernel is built for. */
  static final int CPUS = 1 << 16;

  /** More NUMA nodes than any kernel is built for; a page of bits is the most it takes. */
  static final int NODES = 1 << 12;

  private BitMask() {}

  static MemorySegment empty(Arena arena, int bits) {
    return arena.allocate(bits / 8, 8);
  }

  static MemorySegment of(Arena arena, int bits, BitSet set) {
    MemorySegment mask = empty(arena, bits);
    long[] words = set.toLongArray();
    if (words.length * 64L > bits) {
      throw new IllegalArgumentException("a number beyond " + (bits - 1));
    }
    for (int i = 0; i < words.length; i++) {
      mask.setAtIndex(JAVA_LONG, i, words[i]);
    }
    return mask;
  }

  static BitSet read(MemorySegment mask) {
    return BitSet.valueOf(mask.toArray(JAVA_LONG));
  }
}
