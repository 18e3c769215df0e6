package dev.holdfast.agent.local;

import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A program of this node that is connected: on whose behalf, and how it is spoken to. */
public final class LocalPeer {
  private final String user;
  private final SocketChannel channel;

  LocalPeer(String user, SocketChannel channel) {
    this.user = user;
    this.channel = channel;
  }

  public String user() {
    return user;
  }

  /** How a line of its was taken. */
  void answer(Taken taken) throws IOException {
    say(taken.json());
  }

  /** Writes a line; several may want to at once. */
  synchronized void say(Map<String, ? extends @Nullable Object> tree) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((Json.line(tree) + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
