package dev.holdfast.core.forensics;

import java.io.ByteArrayOutputStream;

/** Pickles written by hand. */
final class PickleBytes {
  private PickleBytes() {}

  /** Words as text, one byte a character; other bytes as numbers. */
  static byte[] bytes(Object... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Object part : parts) {
      if (part instanceof Integer number) {
        out.write(number);
      } else {
        part.toString().chars().forEach(out::write);
      }
    }
    return out.toByteArray();
  }
}
