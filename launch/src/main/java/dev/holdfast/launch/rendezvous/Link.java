package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.text.Unicode;
import dev.holdfast.launch.job.Member;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to another launcher: whole lines in, whole lines out, both bounded. A peer that
 * does not read, sends no end of line or falls silent is given up; what it missed is said again
 * over the next connection.
 */
final class Link {
  private static final int MOST_QUEUED = 64 << 20;
  private static final int FIRST_BUFFER = 4 << 10;
  private static final int READ_ONCE = 64 << 10;
  private static final long CONNECT_LIMIT = 5_000;
  private static final long HANDSHAKE_LIMIT = 5_000;
  private static final long STALL_LIMIT = 10_000;
  private static final long IDLE_LIMIT = 30_000;

  final SocketChannel channel;
  final SelectionKey key;
  final Handshake handshake;

  /** The address it was dialled at, empty: the other side dialled. */
  final String dialled;

  @Nullable Member peer;
  private final long bornAt;
  private boolean connected;
  private byte[] line = new byte[FIRST_BUFFER];
  private int filled;
  private final Deque<ByteBuffer> out = new ArrayDeque<>();
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private long queued;
  private long readAt;
  private long progressAt;

  Link(SocketChannel channel, SelectionKey key, Handshake handshake, String dialled, long now) {
    this.channel = channel;
    this.key = key;
    this.handshake = handshake;
    this.dialled = dialled;
    connected = dialled.isEmpty();
    bornAt = now;
    readAt = now;
    progressAt = now;
  }

  void connected() {
    connected = true;
  }

  /** The other side is known: what had to wait for that goes out. */
  void established(Member member) {
    peer = member;
    waiting.forEach(this::enqueue);
    waiting.clear();
  }

  /** Says a line once the other side is known; false: it does not read what it is sent. */
  boolean say(byte[] text, long now) {
    if (queued + text.length > MOST_QUEUED) {
      return false;
    }
    if (peer == null) {
      queued += text.length;
      waiting.add(text);
    } else {
      sayNow(text, now);
    }
    return true;
  }

  /** Says a line of the handshake. */
  void sayNow(byte[] text, long now) {
    if (out.isEmpty()) {
      progressAt = now;
    }
    queued += text.length;
    enqueue(text);
  }

  private void enqueue(byte[] text) {
    out.add(ByteBuffer.wrap(text));
  }

  /** Writes what the kernel takes. */
  void write(long now) throws IOException {
    if (!connected) {
      return;
    }
    while (!out.isEmpty()) {
      ByteBuffer next = out.getFirst();
      int count = channel.write(next);
      queued -= count;
      if (count > 0) {
        progressAt = now;
      }
      if (next.hasRemaining()) {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        return;
      }
      out.removeFirst();
    }
    key.interestOps(SelectionKey.OP_READ);
  }

  boolean idle() {
    return out.isEmpty() && waiting.isEmpty();
  }

  /** Reads what is there, at most once a buffer, and hands over each whole line. */
  void read(ByteBuffer buffer, Consumer<String> lines, long now) throws IOException {
    buffer.clear().limit(Math.min(buffer.capacity(), READ_ONCE));
    int count = channel.read(buffer);
    if (count < 0) {
      throw new EOFException("closed by the other side");
    }
    readAt = now;
    buffer.flip();
    while (buffer.hasRemaining()) {
      byte next = buffer.get();
      if (next == '\n') {
        String text = Unicode.text(ByteBuffer.wrap(line, 0, filled));
        filled = 0;
        if (line.length > READ_ONCE) {
          line = new byte[FIRST_BUFFER];
        }
        lines.accept(text);
      } else {
        if (filled == line.length) {
          grow();
        }
        line[filled++] = next;
      }
    }
  }

  private void grow() throws IOException {
    int most = peer == null ? FIRST_BUFFER : Wire.MOST_LINE;
    if (filled >= most) {
      throw new IOException("a line of more than " + most + " bytes");
    }
    line = Arrays.copyOf(line, Math.min(most, filled * 2));
  }

  /** Whether to give this connection up: it leads nowhere, or nobody reads or speaks there. */
  boolean hopeless(long now) {
    return (!connected && now - bornAt > CONNECT_LIMIT)
        || (peer == null && now - bornAt > CONNECT_LIMIT + HANDSHAKE_LIMIT)
        || (!out.isEmpty() && now - progressAt > STALL_LIMIT)
        || now - readAt > IDLE_LIMIT;
  }

  void close() {
    key.cancel();
    try {
      channel.close();
    } catch (IOException _) {
      // It is gone either way.
    }
  }
}
