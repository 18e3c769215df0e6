package dev.holdfast.bench.load;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One more client, beside the many: sets the key they wait for, and asks whether all is well. */
final class Messenger implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final OutputStream output;
  private final DataInputStream input;

  Messenger(InetSocketAddress target) throws IOException {
    socket.connect(target, PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    output = socket.getOutputStream();
    input = new DataInputStream(socket.getInputStream());
    output.write(Wire.greeting((int) ProcessHandle.current().pid()));
    input.readInt();
    set("bench/messenger", "here");
    check();
  }

  void set(String key, String value) throws IOException {
    output.write(Wire.set(key, value.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  /** Asks for a key that is there; returns how long the answer took, in nanoseconds. */
  long check() throws IOException {
    long start = System.nanoTime();
    output.write(Wire.check("bench/messenger"));
    int said = input.read();
    if (said < 0) {
      throw new EOFException("the server has closed a connection");
    }
    if (said != 0) {
      throw new IOException("a wrong answer to a check: " + said);
    }
    return System.nanoTime() - start;
  }

  @Override
  public void close() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}
