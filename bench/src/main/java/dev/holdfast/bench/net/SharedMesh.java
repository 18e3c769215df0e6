package dev.holdfast.bench.net;

import dev.holdfast.os.libc.Futex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Links through memory that the ranks of one machine share: a ring of bytes for each direction of
 * each pair, and for each rank a bell to be woken by. Only the pages that are used cost memory.
 */
final class SharedMesh implements Mesh {
  /** Apart, so that what one rank writes is not in the line of cache another one writes. */
  private static final long LINE = 128;

  private static final long BELLS = 2 * LINE;
  private static final long HEAD = 4 * LINE;
  private static final int SPINS = 5000;
  private static final int YIELDS = 100;
  private static final long NAP_NANOS = 100_000_000;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int rank;
  private final int ranks;
  private final long room;
  private final boolean ownCore;
  private final @Nullable SharedLink[] links;
  private boolean armed;
  private int seen;

  SharedMesh(Path file, int rank, int ranks, long room, boolean ownCore) throws IOException {
    this.rank = rank;
    this.ranks = ranks;
    this.room = room;
    this.ownCore = ownCore;
    this.links = new SharedLink[ranks];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = size(ranks, room);
      if (channel.size() != size) {
        throw new IOException(file + " is not of the size agreed upon");
      }
      memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
    }
    for (int peer = 0; peer < ranks; peer++) {
      if (peer != rank) {
        links[peer] = new SharedLink(peer, ring(rank, peer), ring(peer, rank));
      }
    }
  }

  /** What the file must hold. */
  static long size(int ranks, long room) {
    return ranks * BELLS + (long) ranks * ranks * (HEAD + room);
  }

  private MemorySegment ring(int from, int to) {
    return memory.asSlice(ranks * BELLS + ((long) from * ranks + to) * (HEAD + room), HEAD + room);
  }

  @Override
  public Link link(int peer) {
    SharedLink link = links[peer];
    if (link == null) {
      throw new IllegalArgumentException("no link to rank " + peer);
    }
    return link;
  }

  @Override
  public int spins() {
    return ownCore ? SPINS : 20;
  }

  @Override
  public int yields() {
    return ownCore ? YIELDS : 2;
  }

  /**
   * The first call only announces the sleep: whatever happened before the announcement is seen when
   * the caller looks once more, and whatever happens after it rings the bell.
   */
  @Override
  public void sleep(@Nullable Link to, @Nullable Link from) {
    long bell = rank * BELLS;
    if (!armed) {
      seen = (int) INT.getVolatile(memory, bell);
      INT.setVolatile(memory, bell + LINE, 1);
      VarHandle.fullFence();
      armed = true;
      return;
    }
    Futex.await(memory.asSlice(bell, 4), seen, NAP_NANOS);
    awake();
  }

  @Override
  public void awake() {
    if (armed) {
      armed = false;
      INT.setVolatile(memory, rank * BELLS + LINE, 0);
    }
  }

  /** Wakes a rank if it sleeps. */
  private void ring(int peer) {
    VarHandle.fullFence();
    long bell = peer * BELLS;
    if ((int) INT.getVolatile(memory, bell + LINE) != 0) {
      INT.getAndAdd(memory, bell, 1);
      Futex.wake(memory.asSlice(bell, 4));
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  /** Two rings: one is filled here, the other emptied. */
  private final class SharedLink implements Link {
    private static final long WRITTEN = 0;
    private static final long READ = LINE;

    private final int peer;
    private final MemorySegment out;
    private final MemorySegment in;
    private long written;
    private long readSeen;
    private long read;
    private long writtenSeen;

    SharedLink(int peer, MemorySegment out, MemorySegment in) {
      this.peer = peer;
      this.out = out;
      this.in = in;
    }

    @Override
    public int peer() {
      return peer;
    }

    @Override
    public long send(MemorySegment from, long at, long bytes) {
      // A part of the ring at a time: the other side reads it while the next one is written.
      long most = Math.min(bytes, room / 4);
      if (room - (written - readSeen) < most) {
        readSeen = (long) LONG.getAcquire(out, READ);
      }
      long place = written % room;
      long some = Math.min(most, Math.min(room - place, room - (written - readSeen)));
      if (some <= 0) {
        return 0;
      }
      MemorySegment.copy(from, at, out, HEAD + place, some);
      written += some;
      LONG.setRelease(out, WRITTEN, written);
      ring(peer);
      return some;
    }

    private long there(long bytes) {
      if (writtenSeen - read < bytes) {
        writtenSeen = (long) LONG.getAcquire(in, WRITTEN);
      }
      return Math.min(bytes, Math.min(room - read % room, writtenSeen - read));
    }

    private void taken(long bytes) {
      read += bytes;
      LONG.setRelease(in, READ, read);
      ring(peer);
    }

    @Override
    public long receive(MemorySegment into, long at, long bytes) {
      long some = there(Math.min(bytes, room / 4));
      if (some > 0) {
        MemorySegment.copy(in, HEAD + read % room, into, at, some);
        taken(some);
      }
      return some;
    }

    /** Straight from the shared memory. */
    @Override
    public long receiveAdding(MemorySegment into, long at, long bytes, Element element) {
      long some = there(Math.min(bytes, room / 4));
      some -= some % element.bytes();
      if (some > 0) {
        element.add(in, HEAD + read % room, into, at, some);
        taken(some);
        return some;
      }
      return writtenSeen - read < element.bytes() ? 0 : addTorn(into, at, element);
    }

    /** One element that begins at the end of the ring and ends at its beginning. */
    private long addTorn(MemorySegment into, long at, Element element) {
      MemorySegment whole = MemorySegment.ofArray(new int[1]);
      for (int i = 0; i < element.bytes(); i++) {
        whole.set(
            ValueLayout.JAVA_BYTE, i, in.get(ValueLayout.JAVA_BYTE, HEAD + (read + i) % room));
      }
      element.add(whole, 0, into, at, element.bytes());
      taken(element.bytes());
      return element.bytes();
    }
  }
}
