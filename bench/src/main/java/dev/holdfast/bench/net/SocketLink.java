package dev.holdfast.bench.net;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sockets to one rank, TCP or Unix: some only to send, as many only to receive, because the kernel
 * locks a socket while it does either. With several of them, stretches of the stream take turns:
 * each socket has a window and a buffer of its own, and the order stays known without a word about
 * it.
 */
final class SocketLink implements Link {
  private static final long STRETCH = 256 << 10;
  private static final int SCRATCH = 256 << 10;
  private static final int NONE = -1;

  private final int peer;
  private final List<SocketChannel> outgoing;
  private final List<SocketChannel> incoming;
  private final MemorySegment scratch;
  private final FarBytes far;
  private int carried;
  private long sent;
  private long received;

  /**
   * A part of an element may stay in the scratch memory, so each link has its own.
   *
   * @param far told of all bytes that are taken and got
   */
  SocketLink(int peer, List<SocketChannel> outgoing, List<SocketChannel> incoming, FarBytes far) {
    this.peer = peer;
    this.far = far;
    this.outgoing = List.copyOf(outgoing);
    this.incoming = List.copyOf(incoming);
    this.scratch = Arena.ofAuto().allocate(SCRATCH, 4096);
  }

  @Override
  public int peer() {
    return peer;
  }

  private int stream(long position) {
    return outgoing.size() == 1 ? 0 : (int) (position / STRETCH % outgoing.size());
  }

  private long stretch(long position, long bytes) {
    return outgoing.size() == 1 ? bytes : Math.min(bytes, STRETCH - position % STRETCH);
  }

  @Override
  public long send(MemorySegment from, long at, long bytes) throws IOException {
    ByteBuffer part = from.asSlice(at, stretch(sent, bytes)).asByteBuffer();
    try {
      int taken = outgoing.get(stream(sent)).write(part);
      sent += taken;
      far.sent(taken);
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
          incoming
              .get(stream(received))
              .read(into.asSlice(at, stretch(received, bytes)).asByteBuffer());
    } catch (IOException broken) {
      throw ended(broken.getMessage());
    }
    if (got < 0) {
      throw ended("end of stream");
    }
    received += got;
    far.received(got);
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
    for (SocketChannel stream : all()) {
      stream.configureBlocking(false);
      stream.register(selector, 0);
    }
  }

  private List<SocketChannel> all() {
    return Stream.concat(outgoing.stream(), incoming.stream()).toList();
  }

  /** Says what the selector shall look for on the sockets that are next; on the others nothing. */
  void watch(Selector selector, boolean room, boolean bytes) {
    watch(selector, outgoing, room ? stream(sent) : NONE, SelectionKey.OP_WRITE);
    watch(selector, incoming, bytes ? stream(received) : NONE, SelectionKey.OP_READ);
  }

  private static void watch(
      Selector selector, List<SocketChannel> streams, int next, int operation) {
    for (int i = 0; i < streams.size(); i++) {
      int wanted = i == next ? operation : 0;
      SelectionKey key = streams.get(i).keyFor(selector);
      if (key != null && key.interestOps() != wanted) {
        key.interestOps(wanted);
      }
    }
  }

  void close() {
    all().forEach(Greeting::close);
  }
}
