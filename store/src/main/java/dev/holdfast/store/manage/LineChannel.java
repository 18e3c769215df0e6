package dev.holdfast.store.manage;

import dev.holdfast.core.text.Unicode;
import dev.holdfast.os.net.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Lines of text over a socket, each of bounded length and with a deadline. */
final class LineChannel implements AutoCloseable {
  private static final int CHUNK = 4 << 10;

  /** Lines longer than this take room, so many bytes at a time. */
  private static final int PIECE = 64 << 10;

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).flip();

  private final Semaphore room;
  private int taken;

  LineChannel(SocketChannel channel) {
    this(channel, new Semaphore(Integer.MAX_VALUE));
  }

  private LineChannel(SocketChannel channel, Semaphore room) {
    this.channel = channel;
    this.room = room;
  }

  /** Room for the long lines of several channels together. */
  static Semaphore room(int bytes) {
    return new Semaphore(bytes / PIECE);
  }

  /** One that shares the room for long lines; a line has it until the next one is read. */
  static LineChannel sharing(SocketChannel channel, Semaphore room) {
    return new LineChannel(channel, room);
  }

  /** Waits for the first byte of a line; false when the other side has closed. */
  boolean begins(Duration within) throws IOException {
    giveBack();
    if (!buffer.hasRemaining()) {
      try (Deadline guard = Deadline.of(channel, within)) {
        fill(guard, within);
      }
    }
    return buffer.hasRemaining();
  }

  /** The next line, without its end; nothing when the other side has closed. */
  Optional<String> read(int longest, Duration within) throws IOException {
    giveBack();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (Deadline guard = Deadline.of(channel, within)) {
      while (true) {
        while (buffer.hasRemaining()) {
          byte next = buffer.get();
          if (next == '\n') {
            return Optional.of(text(line));
          }
          if (line.size() == longest) {
            throw new IOException("a line of more than " + longest + " bytes");
          }
          if (line.size() == (taken + 1) * PIECE) {
            take();
          }
          line.write(next);
        }
        fill(guard, within);
        if (!buffer.hasRemaining()) {
          return Optional.empty();
        }
      }
    }
  }

  private static String text(ByteArrayOutputStream line) throws IOException {
    try {
      return Unicode.text(line.toByteArray());
    } catch (IllegalArgumentException broken) {
      throw new IOException("a line that is " + broken.getMessage(), broken);
    }
  }

  private void take() throws IOException {
    if (!room.tryAcquire()) {
      throw new IOException("too many long lines at once");
    }
    taken++;
  }

  private void giveBack() {
    room.release(taken);
    taken = 0;
  }

  private void fill(Deadline guard, Duration within) throws IOException {
    buffer.clear();
    try {
      channel.read(buffer);
    } catch (IOException failed) {
      throw guard.passed() ? late(within) : failed;
    } finally {
      buffer.flip();
    }
  }

  void write(String line, Duration within) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try (Deadline guard = Deadline.of(channel, within)) {
      while (bytes.hasRemaining()) {
        try {
          channel.write(bytes);
        } catch (IOException failed) {
          throw guard.passed() ? late(within) : failed;
        }
      }
    }
  }

  private static IOException late(Duration within) {
    return new SocketTimeoutException("no answer within " + within.toMillis() + " ms");
  }

  @Override
  public void close() throws IOException {
    giveBack();
    channel.close();
  }
}
