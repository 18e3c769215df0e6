package dev.holdfast.control.api.gate;

import dev.holdfast.control.api.gate.Turns.Turn;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The way of one answer out. It is made, so whoever waits to make his may begin; it leaves when
 * there is room for it, and goes piece by piece, so that it is seen how fast it is read.
 */
final class Outgoing extends OutputStream {
  private static final int PIECE = 64 * 1024;

  private final OutputStream out;
  private final Gate gate;
  private final RoutingRequest request;
  private final RoutingResponse response;
  private final SocketAddress remote;
  private @Nullable Share share;
  private boolean begun;
  private boolean refused;

  Outgoing(
      OutputStream out,
      Gate gate,
      SocketAddress remote,
      RoutingRequest request,
      RoutingResponse response) {
    this.out = out;
    this.gate = gate;
    this.request = request;
    this.response = response;
    this.remote = remote;
  }

  private void begin(int bytes) {
    if (!begun) {
      begun = true;
      long length = Math.max(bytes, response.headers().contentLength().orElse(0));
      share = gate.roomForAnswer(remote, length).orElse(null);
      if (share == null) {
        refused = true;
        throw new NoRoom();
      }
      // Not before there is room, or what was made piles up where it waits for some.
      request.context().get(Turn.class).ifPresent(Turn::close);
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    begin(count);
    boolean whole = false;
    try {
      for (int done = 0; done < count; ) {
        int piece = Math.min(PIECE, count - done);
        out.write(bytes, from + done, piece);
        done += piece;
        gate.sent(remote, piece);
      }
      whole = true;
    } finally {
      if (!whole) {
        giveBack(); // nobody closes the stream of a connection that is lost
      }
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /** What was refused is answered otherwise. */
  @Override
  public void close() throws IOException {
    if (refused) {
      return;
    }
    try {
      out.close();
    } finally {
      giveBack();
    }
  }

  /** Gives the room back, once. */
  void giveBack() {
    if (share != null) {
      gate.out(remote, share);
      share = null;
    }
  }
}
