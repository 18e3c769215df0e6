package dev.holdfast.bench.net;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Sockets to one rank, TCP or Unix. With several of them, stretches of the stream take turns: each
 * socket has a window and a buffer of its own, and the order stays known without a word about it.
 */
final class SocketLink implements Link {
  private static final long STRETCH = 256 << 10;
  private static final int SCRATCH = 256 << 10;

  private final int peer;
  private final List<SocketChannel> streams;
  private final MemorySegment scratch;
  private int carried;
  private long sent;
  private long received;

  /** A part of an element may stay in the scratch memory, so each link has its own. */
  SocketLink(int peer, List<SocketChannel> streams) {
    this.peer = peer;
    this.streams = List.copyOf(streams);
    this.scratch = Arena.ofAuto().allocate(SCRATCH, 4096);
  }

  @Override
  public int peer() {
    return peer;
  }

  private int stream(long position) {
    return streams.size() == 1 ? 0 : (int) (position / STRETCH % streams.size());
  }

  private long stretch(long position, long bytes) {
    return streams.size() == 1 ? bytes : Math.min(bytes, STRETCH - position % STRETCH);
  }

  @Override
  public long send(MemorySegment from, long at, long bytes) throws IOException {
    ByteBuffer part = from.asSlice(at, stretch(sent, bytes)).asByteBuffer();
    try {
      int taken = streams.get(stream(sent)).write(part);
      sent += taken;
      return taken;
    } catch (IOException broken) {
      throw ended(broken.getMessage());
    }
  }

  @Override
  public long receive(MemorySegment into, long at, long bytes) throws IOException {
    int got;
    try {
      got =
          streams
              .get(stream(received))
              .read(into.asSlice(at, stretch(received, bytes)).asByteBuffer());
    } catch (IOException broken) {
      throw ended(broken.getMessage());
    }
    if (got < 0) {
      throw ended("end of stream");
    }
    received += got;
    return got;
  }

  @Override
  public long receiveAdding(MemorySegment into, long at, long bytes, Element element)
      throws IOException {
    long got = receive(scratch, carried, Math.min(bytes, SCRATCH) - carried);
    if (got == 0) {
      return 0;
    }
    int there = carried + (int) got;
    int whole = there - there % element.bytes();
    element.add(scratch, 0, into, at, whole);
    carried = there - whole;
    if (carried > 0) {
      MemorySegment.copy(scratch, whole, scratch, 0, carried);
    }
    return whole;
  }

  private LinkFault ended(@org.jspecify.annotations.Nullable String why) {
    return new LinkFault(peer, true, "rank " + peer + " closed its connection: " + why);
  }

  void register(Selector selector) throws IOException {
    for (SocketChannel stream : streams) {
      stream.configureBlocking(false);
      stream.register(selector, 0);
    }
  }

  /** Says what the selector shall look for on the socket that is next; on the others nothing. */
  void watch(Selector selector, boolean room, boolean bytes) {
    for (int i = 0; i < streams.size(); i++) {
      int wanted =
          (room && i == stream(sent) ? SelectionKey.OP_WRITE : 0)
              | (bytes && i == stream(received) ? SelectionKey.OP_READ : 0);
      SelectionKey key = streams.get(i).keyFor(selector);
      if (key != null && key.interestOps() != wanted) {
        key.interestOps(wanted);
      }
    }
  }

  void close() {
    for (SocketChannel stream : streams) {
      try {
        stream.close();
      } catch (IOException gone) {
        // It is gone either way.
      }
    }
  }
}
