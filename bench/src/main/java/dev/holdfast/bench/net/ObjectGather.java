package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gathers one flag of every rank the way objects are gathered by training programs: written as an
 * object, the lengths of all gathered first, then the bytes padded to the longest, and every one of
 * them read again. What that costs beside the flag itself is the question.
 */
final class ObjectGather implements Call, Checked {
  /** So much of the buffer belongs to each rank. */
  static final int ROOM = 64;

  private static final int BLOCK = 16;

  private final int rank;
  private final int ranks;
  private final MemorySegment data;
  private final Gather gather;
  private final boolean[] gathered;

  /** Has the bytes of all ranks gathered where each has put its own. */
  interface Gather {
    /**
     * @param each bytes of each rank, whole blocks
     */
    void run(long each) throws IOException;
  }

  ObjectGather(int ranks, int rank, MemorySegment data, Gather gather) {
    this.rank = rank;
    this.ranks = ranks;
    this.data = data;
    this.gather = gather;
    this.gathered = new boolean[ranks];
  }

  static ObjectGather over(Flow flow, int ranks, int rank, MemorySegment data) {
    List<List<Step>> steps =
        IntStream.rangeClosed(1, ROOM / BLOCK)
            .mapToObj(
                blocks ->
                    Schedule.of(
                        Operation.of(
                            Collective.ALL_GATHER,
                            (long) blocks * BLOCK * ranks,
                            Element.INT,
                            0,
                            ranks),
                        rank))
            .toList();
    return new ObjectGather(
        ranks, rank, data, each -> flow.run(steps.get((int) each / BLOCK - 1), Element.INT));
  }

  /** An operation that means this. */
  static Operation operation(int ranks) {
    return new Operation(
        Collective.ALL_GATHER, Algorithm.OBJECT, (long) ROOM * ranks, Element.INT, 0, ranks);
  }

  /** One rank is done, the others are not. */
  private boolean flag() {
    return rank == ranks - 1;
  }

  @Override
  public void run() throws IOException {
    byte[] object = written(flag());
    data.set(ValueLayout.JAVA_INT, (long) rank * BLOCK, object.length);
    gather.run(BLOCK);
    int[] lengths = new int[ranks];
    int longest = 0;
    for (int i = 0; i < ranks; i++) {
      lengths[i] = data.get(ValueLayout.JAVA_INT, (long) i * BLOCK);
      longest = Math.max(longest, lengths[i]);
    }
    if (longest > ROOM) {
      throw new IOException("an object of " + longest + " bytes");
    }
    long padded = (longest + BLOCK - 1L) / BLOCK * BLOCK;
    MemorySegment.copy(object, 0, data, ValueLayout.JAVA_BYTE, rank * padded, object.length);
    gather.run(padded);
    for (int i = 0; i < ranks; i++) {
      gathered[i] = read(data.asSlice(i * padded, lengths[i]).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private static byte[] written(Boolean flag) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(ROOM);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(flag);
    }
    return bytes.toByteArray();
  }

  private static boolean read(byte[] bytes) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(ObjectGather::flagsOnly);
      return (Boolean) in.readObject();
    } catch (ClassNotFoundException | ClassCastException wrong) {
      throw new IOException("what was gathered is no flag", wrong);
    }
  }

  private static ObjectInputFilter.Status flagsOnly(ObjectInputFilter.FilterInfo info) {
    return info.serialClass() == null || info.serialClass() == Boolean.class
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  @Override
  public void fill() {
    for (int i = 0; i < ranks; i++) {
      gathered[i] = i != ranks - 1;
    }
    data.asSlice(0, (long) ROOM * ranks).fill((byte) 0x55);
  }

  @Override
  public long wrong() {
    return IntStream.range(0, ranks).filter(it -> gathered[it] != (it == ranks - 1)).count();
  }
}
