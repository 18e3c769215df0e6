package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Orders and answers between a rank and whoever started it: one JSON object a line. */
final class Wire implements Closeable {
  static final int LONGEST = 4 << 20;

  private final Socket socket;
  private final InputStream input;

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    this.input = new BufferedInputStream(socket.getInputStream(), 64 << 10);
  }

  /** Whole lines, whichever thread says them. */
  synchronized void say(@Nullable Object... namesAndValues) throws IOException {
    String line = Json.line(Json.map(namesAndValues)) + "\n";
    socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
  }

  /** The next line; none when the other side has ended. */
  @Nullable Fields hear() throws IOException {
    return hear(LONGEST);
  }

  @Nullable Fields hear(int longest) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int read = input.read(); read != '\n'; read = input.read()) {
      if (read < 0) {
        return null;
      }
      if (line.size() >= longest) {
        throw new IOException("a line longer than " + longest + " bytes");
      }
      line.write(read);
    }
    try {
      return Fields.of("message", Json.object(line.toString(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException wrong) {
      throw new IOException(wrong.getMessage(), wrong);
    }
  }

  void patience(int milliseconds) throws IOException {
    socket.setSoTimeout(milliseconds);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
