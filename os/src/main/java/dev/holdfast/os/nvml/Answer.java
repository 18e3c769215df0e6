package dev.holdfast.os.nvml;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The child's side of the line protocol: facts as {@code key=value}, refusals as {@code
 * key!=REASON}, {@code ?function} before each native call, a lone dot at the end.
 *
 * <p>Facts are gathered and leave together with the next {@code ?function}, in one write: when the
 * call hangs, the parent has everything known so far and the name of the culprit. Pieces are put
 * into a byte buffer one by one, because joining strings costs tens of milliseconds in a young JVM.
 */
final class Answer {
  private static final int MOST_TEXT = 512;

  private final OutputStream stream;
  private byte[] buffer = new byte[16384];
  private int used;
  private String prefix = "";
  private int device = -1;
  private int link = -1;

  Answer(OutputStream stream) {
    this.stream = stream;
  }

  /** From now on facts are of this device; of the node when negative. */
  void device(int index) {
    device = index;
    prefix = index < 0 ? "" : "gpu.";
    link = -1;
  }

  /** From now on facts are of this NVLink of the device; of the device itself when negative. */
  void link(int index) {
    link = index;
  }

  void calling(String function) throws IOException {
    put('?');
    put(function);
    put('\n');
    flush();
  }

  void number(String key, long value) {
    key(key);
    put('=');
    digits(value);
    put('\n');
  }

  void word(String key, String value) {
    key(key);
    put('=');
    clean(value);
    put('\n');
  }

  /** Thousandths as a decimal number: 116660 milliwatts are 116.66 watts. */
  void thousandths(String key, long value) {
    key(key);
    put('=');
    digits(value / 1000);
    long rest = value % 1000;
    if (rest != 0) {
      put('.');
      put((char) ('0' + rest / 100));
      if (rest % 100 != 0) {
        put((char) ('0' + rest / 10 % 10));
      }
      if (rest % 10 != 0) {
        put((char) ('0' + rest % 10));
      }
    }
    put('\n');
  }

  /** Two numbers with a dot between: a version. */
  void version(String key, long major, long minor) {
    key(key);
    put('=');
    digits(major);
    put('.');
    digits(minor);
    put('\n');
  }

  void hexadecimal(String key, long value) {
    word(key, "0x".concat(Long.toHexString(value)));
  }

  void refused(String key, String reason) {
    key(key);
    put('!');
    put('=');
    clean(reason);
    put('\n');
  }

  /** A value that cannot be true, and which one. */
  void implausible(String key, long value) {
    key(key);
    put("!=IMPLAUSIBLE ");
    put(Long.toUnsignedString(value));
    put('\n');
  }

  /** {@code call.failed=function:REASON}, for a failure that concerns the device as a whole. */
  void failed(String function, String reason) {
    key("call.failed");
    put('=');
    put(function);
    put(':');
    clean(reason);
    put('\n');
  }

  /** Ends the answer to one request. */
  void end() throws IOException {
    put(".\n");
    flush();
  }

  private void flush() throws IOException {
    stream.write(buffer, 0, used);
    stream.flush();
    used = 0;
  }

  private void key(String key) {
    put(prefix);
    if (device >= 0) {
      digits(device);
      put('.');
    }
    if (link >= 0) {
      put("nvlink.");
      digits(link);
      put('.');
    }
    put(key);
  }

  private void digits(long value) {
    put(Long.toString(value));
  }

  /** Text of a library that may be broken: bounded, printable, one line. */
  private void clean(String text) {
    int length = Math.min(text.length(), MOST_TEXT);
    for (int index = 0; index < length; index++) {
      char letter = text.charAt(index);
      put(letter < ' ' || letter > '~' ? '?' : letter);
    }
  }

  private void put(String text) {
    for (int index = 0; index < text.length(); index++) {
      put(text.charAt(index));
    }
  }

  private void put(char letter) {
    if (used == buffer.length) {
      byte[] larger = new byte[buffer.length * 2];
      System.arraycopy(buffer, 0, larger, 0, used);
      buffer = larger;
    }
    buffer[used++] = (byte) letter;
  }
}
