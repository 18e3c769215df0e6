package dev.holdfast.bench.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Requests in the bytes PyTorch's clients since 2.5 send (dialect C). */
final class Wire {
  private static final int VALIDATE = 0;
  private static final int SET = 1;
  private static final int GET = 3;
  private static final int ADD = 4;
  private static final int CHECK = 5;
  private static final int WAIT = 6;
  private static final int CANCEL_WAIT = 12;
  private static final int PING = 13;
  private static final int MAGIC = 0x3C85F7CE;

  private Wire() {}

  /** What a client says first: the magic number, and its process, which is said back. */
  static byte[] greeting(int process) {
    return new Bytes().code(VALIDATE).word(MAGIC).code(PING).word(process).done();
  }

  static byte[] set(String key, byte[] value) {
    return new Bytes().code(SET).field(text(key)).field(value).done();
  }

  static byte[] get(String key) {
    return new Bytes().code(GET).field(text(key)).done();
  }

  static byte[] add(String key, long delta) {
    return new Bytes().code(ADD).field(text(key)).number(delta).done();
  }

  static byte[] check(String key) {
    return new Bytes().code(CHECK).number(1).field(text(key)).done();
  }

  static byte[] await(String key) {
    return new Bytes().code(WAIT).number(1).field(text(key)).done();
  }

  static byte[] cancel() {
    return new byte[] {CANCEL_WAIT};
  }

  private static byte[] text(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** Bytes as they are put together, numbers with the lowest byte first. */
  private static final class Bytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Bytes code(int code) {
      bytes.write(code);
      return this;
    }

    Bytes word(int value) {
      for (int shift = 0; shift < Integer.SIZE; shift += 8) {
        bytes.write(value >>> shift);
      }
      return this;
    }

    Bytes number(long value) {
      for (int shift = 0; shift < Long.SIZE; shift += 8) {
        bytes.write((int) (value >>> shift));
      }
      return this;
    }

    Bytes field(byte[] value) {
      number(value.length);
      bytes.writeBytes(value);
      return this;
    }

    byte[] done() {
      return bytes.toByteArray();
    }
  }
}
