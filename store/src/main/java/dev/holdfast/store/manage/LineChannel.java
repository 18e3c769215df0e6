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

/** Lines of text over a socket, each of bounded length and with a deadline. */
final class LineChannel implements AutoCloseable {
  private static final int CHUNK = 16 << 10;

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).flip();

  LineChannel(SocketChannel channel) {
    this.channel = channel;
  }

  /** The next line, without its end; nothing when the other side has closed. */
  Optional<String> read(int longest, Duration within) throws IOException {
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
    channel.close();
  }
}
