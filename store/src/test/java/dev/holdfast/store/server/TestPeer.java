package dev.holdfast.store.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A client that speaks in raw bytes. */
final class TestPeer implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;

  TestPeer(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(10_000);
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** Sends bytes written as hexadecimal pairs. */
  TestPeer hex(String bytes) throws IOException {
    return send(HexFormat.of().parseHex(bytes.replace(" ", "")));
  }

  TestPeer send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends what the store takes before it closes the connection, if it does. */
  TestPeer sendWhatItTakes(byte[] bytes) {
    try {
      return send(bytes);
    } catch (IOException closed) {
      return this;
    }
  }

  /** Reads as many bytes as are expected and returns them as hexadecimal pairs. */
  String receive(int count) throws IOException {
    byte[] bytes = new byte[count];
    in.readFully(bytes);
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  long number() throws IOException {
    return Long.reverseBytes(in.readLong());
  }

  int octet() throws IOException {
    return in.readUnsignedByte();
  }

  String text() throws IOException {
    byte[] bytes = new byte[(int) number()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Whether the server has closed the connection. */
  boolean closed() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  /** Whether nothing has come for a while. */
  boolean silent(int milliseconds) throws IOException {
    socket.setSoTimeout(milliseconds);
    try {
      return in.read() == -2;
    } catch (java.net.SocketTimeoutException quiet) {
      return true;
    } finally {
      socket.setSoTimeout(10_000);
    }
  }

  /** The handshake of PyTorch 2.5 and later. */
  TestPeer hello() throws IOException {
    hex("00 ce f7 85 3c 0d 90 01 00 00");
    receive(4);
    return this;
  }

  /** A request of any dialect: code, then strings with their lengths. */
  TestPeer ask(int code, String... fields) throws IOException {
    return send(request(code, fields));
  }

  static byte[] request(int code, String... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(code);
    for (String field : fields) {
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      number(out, bytes.length);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  /** A request with a count before its keys. */
  static byte[] counted(int code, long count, String... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(code);
    number(out, count);
    byte[] rest = request(0, fields);
    out.write(rest, 1, rest.length - 1);
    return out.toByteArray();
  }

  /** A request that ends with a number. */
  static byte[] numbered(int code, String key, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(request(code, key));
    number(out, value);
    return out.toByteArray();
  }

  static void number(ByteArrayOutputStream out, long value) {
    for (int i = 0; i < 8; i++) {
      out.write((int) (value >> 8 * i));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
