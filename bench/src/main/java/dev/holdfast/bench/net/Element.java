package dev.holdfast.bench.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the numbers in a buffer are: how they are added, made and checked.
 *
 * <p>What is added is copied to a small array first, which stays in the first cache, and what it is
 * added to is a buffer of its type: that is the one form of this loop over memory outside of the
 * heap which the compiler of Java 25 turns into vector instructions. Over two memory segments, or
 * two buffers, it takes three to four times as long; with both sides copied, twice.
 *
 * <p>The values made are small whole numbers, so that the sum over all ranks is exact in every type
 * and a single wrong bit shows. A value depends on its place and on its rank, so that a block in a
 * wrong place shows as well.
 */
public enum Element {
  FLOAT("float", "float", 4) {
    @Override
    void add(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes) {
      float[] more = SCRATCH.get().floats;
      FloatBuffer sums = buffer(into, intoAt, bytes).asFloatBuffer();
      for (int at = 0; at < sums.limit(); at += BLOCK) {
        int some = Math.min(BLOCK, sums.limit() - at);
        MemorySegment.copy(from, ValueLayout.JAVA_FLOAT_UNALIGNED, fromAt + at * 4L, more, 0, some);
        for (int i = 0; i < some; i++) {
          sums.put(at + i, sums.get(at + i) + more[i]);
        }
      }
    }

    @Override
    void set(MemorySegment buffer, long index, int value) {
      buffer.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
    }

    @Override
    boolean is(MemorySegment buffer, long index, int value) {
      return buffer.getAtIndex(ValueLayout.JAVA_FLOAT, index) == value;
    }
  },
  /** The upper half of a float; added as floats and rounded to the nearest, ties to even. */
  BF16("bf16", "bfloat16", 2) {
    @Override
    void add(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes) {
      short[] more = SCRATCH.get().shorts;
      ShortBuffer sums = buffer(into, intoAt, bytes).asShortBuffer();
      for (int at = 0; at < sums.limit(); at += BLOCK) {
        int some = Math.min(BLOCK, sums.limit() - at);
        MemorySegment.copy(from, ValueLayout.JAVA_SHORT_UNALIGNED, fromAt + at * 2L, more, 0, some);
        for (int i = 0; i < some; i++) {
          float sum = Float.intBitsToFloat(sums.get(at + i) << 16);
          sums.put(at + i, shortened(sum + Float.intBitsToFloat(more[i] << 16)));
        }
      }
    }

    @Override
    void set(MemorySegment buffer, long index, int value) {
      buffer.setAtIndex(ValueLayout.JAVA_SHORT, index, shortened(value));
    }

    @Override
    boolean is(MemorySegment buffer, long index, int value) {
      return buffer.getAtIndex(ValueLayout.JAVA_SHORT, index) == shortened(value);
    }
  },
  INT("int", "int32", 4) {
    @Override
    void add(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes) {
      int[] more = SCRATCH.get().ints;
      IntBuffer sums = buffer(into, intoAt, bytes).asIntBuffer();
      for (int at = 0; at < sums.limit(); at += BLOCK) {
        int some = Math.min(BLOCK, sums.limit() - at);
        MemorySegment.copy(from, ValueLayout.JAVA_INT_UNALIGNED, fromAt + at * 4L, more, 0, some);
        for (int i = 0; i < some; i++) {
          sums.put(at + i, sums.get(at + i) + more[i]);
        }
      }
    }

    @Override
    void set(MemorySegment buffer, long index, int value) {
      buffer.setAtIndex(ValueLayout.JAVA_INT, index, value);
    }

    @Override
    boolean is(MemorySegment buffer, long index, int value) {
      return buffer.getAtIndex(ValueLayout.JAVA_INT, index) == value;
    }
  };

  /** Elements added at a time: an array of them fits in the first cache of any processor. */
  static final int BLOCK = 1024;

  /** The small array of a thread, for each type. */
  private static final class Scratch {
    final float[] floats = new float[BLOCK];
    final short[] shorts = new short[BLOCK];
    final int[] ints = new int[BLOCK];
  }

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private final String option;
  private final String word;
  private final int bytes;

  Element(String option, String word, int bytes) {
    this.option = option;
    this.word = word;
    this.bytes = bytes;
  }

  /** As nccl-tests writes it. */
  public String word() {
    return word;
  }

  public int bytes() {
    return bytes;
  }

  public static Optional<Element> named(String text) {
    return Arrays.stream(values())
        .filter(it -> it.option.equalsIgnoreCase(text) || it.word.equalsIgnoreCase(text))
        .findFirst();
  }

  /** Adds elements to those of another place; fewer than 2 GiB at a time. */
  abstract void add(MemorySegment from, long fromAt, MemorySegment into, long intoAt, long bytes);

  private static ByteBuffer buffer(MemorySegment segment, long at, long bytes) {
    return segment.asSlice(at, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  abstract void set(MemorySegment buffer, long index, int value);

  abstract boolean is(MemorySegment buffer, long index, int value);

  /** What a rank puts at a place before an operation. */
  static int value(int rank, long index, int ranks) {
    return (mixed(index) ^ rank) & mask(ranks);
  }

  /** The sum of {@link #value} over all ranks, for each {@link #mixed} that can be. */
  static int[] sums(int ranks) {
    int[] sums = new int[mask(ranks) + 1];
    for (int mixed = 0; mixed < sums.length; mixed++) {
      for (int rank = 0; rank < ranks; rank++) {
        sums[mixed] += (mixed ^ rank) & mask(ranks);
      }
    }
    return sums;
  }

  static int sum(int[] sums, long index) {
    return sums[mixed(index) & (sums.length - 1)];
  }

  private static int mixed(long index) {
    return (int) (index * 0x9E3779B97F4A7C15L >>> 40);
  }

  /** A bf16 holds every whole number up to 256, so sums stay below. */
  private static int mask(int ranks) {
    return Math.max(1, Integer.highestOneBit(Math.min(16, 256 / Math.min(ranks, 128)))) - 1 | 1;
  }

  private static short shortened(float value) {
    int bits = Float.floatToRawIntBits(value);
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }
}
