package dev.holdfast.control.api.gate;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What came with a request, as text. It is read after the caller is known, takes of the budget as
 * it comes, and gives back when closed.
 */
public final class Body implements AutoCloseable {
  private static final int STEP = 16 * 1024;

  private final String text;
  private final Room room;
  private boolean kept;

  private Body(String text, Room room) {
    this.text = text;
    this.room = room;
  }

  /** A body that is not taken, and the status that says so. */
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;

    Refused(int status, String why) {
      super(why);
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  /** Reads what came with a request, of at most so many bytes. */
  public static Body read(ServerRequest request, int most, Gate gate) throws Refused {
    long length = request.headers().contentLength().orElse(0);
    if (length > most) {
      throw new Refused(413, "a body of %d bytes; %d are taken here".formatted(length, most));
    }
    Room room = gate.room(request.remotePeer().address());
    boolean read = false;
    try (InputStream in = request.content().inputStream()) {
      Body body = new Body(text(length == 0 ? new byte[0] : bytes(in, (int) length, room)), room);
      read = true;
      return body;
    } catch (IOException cut) {
      throw new Refused(400, "the body ended early");
    } finally {
      room.full();
      if (!read) {
        room.close();
      }
    }
  }

  private static byte[] bytes(InputStream in, int length, Room room) throws IOException, Refused {
    byte[] bytes = new byte[0];
    int filled = 0;
    while (filled < length) {
      if (filled == bytes.length) {
        int more = Math.min(length - filled, Math.max(STEP, filled));
        if (!room.take(more)) {
          throw new Refused(503, "too much is being sent at once; try again");
        }
        bytes = Arrays.copyOf(bytes, filled + more);
      }
      int count = in.read(bytes, filled, bytes.length - filled);
      if (count < 0) {
        throw new IOException("ended early");
      }
      filled += count;
    }
    return bytes;
  }

  private static String text(byte[] bytes) throws Refused {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException wrong) {
      throw new Refused(400, "the body is not UTF-8");
    }
  }

  /** The text of a request's body, which was read before its handler began. */
  public static String of(ServerRequest request) {
    return request.context().get(Body.class).map(it -> it.text).orElse("");
  }

  /** Whether a request says that something comes with it. */
  static boolean announced(ServerRequest request) {
    return request.headers().contains(HeaderNames.TRANSFER_ENCODING)
        || request.headers().contentLength().orElse(0) > 0;
  }

  /** Keeps the room of a request's body taken beyond the answer, until the returned is run. */
  public static Runnable keep(ServerRequest request) {
    return request.context().get(Body.class).map(Body::kept).orElse(() -> {});
  }

  private Runnable kept() {
    kept = true;
    return room::close;
  }

  @Override
  public void close() {
    if (!kept) {
      room.close();
    }
  }
}
