package dev.holdfast.control.access;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few forms of ASN.1 in DER that a certificate needs. */
final class Der {
  private static final Instant LAST_SHORT_YEAR = Instant.parse("2050-01-01T00:00:00Z");
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, join(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, join(parts));
  }

  static byte[] number(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] yes() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] text(String value) {
    return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] octets(byte[] value) {
    return tagged(0x04, value);
  }

  /** Bits that fill whole bytes, but for {@code unused} at the end. */
  static byte[] bits(byte[] value, int unused) {
    return tagged(0x03, join(new byte[] {(byte) unused}, value));
  }

  /** A name for a kind of thing, such as {@code 2.5.29.17}. */
  static byte[] kind(String dotted) {
    String[] words = dotted.split("\\.");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(words[0]) * 40 + Integer.parseInt(words[1]));
    for (int i = 2; i < words.length; i++) {
      int value = Integer.parseInt(words[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (value >> shift != 0) {
          out.write(value >> shift & 0x7f | 0x80);
        }
      }
      out.write(value & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }

  static byte[] time(Instant time) {
    boolean early = time.isBefore(LAST_SHORT_YEAR);
    String text =
        DateTimeFormatter.ofPattern(early ? "yyMMddHHmmss'Z'" : "yyyyMMddHHmmss'Z'")
            .withZone(ZoneOffset.UTC)
            .format(time);
    return tagged(early ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A value whose meaning is given by its number in what is around it. */
  static byte[] numbered(int number, byte[] value) {
    return tagged(CONTEXT | number, value);
  }

  /** Other values whose meaning is given by a number. */
  static byte[] holding(int number, byte[] values) {
    return tagged(CONTEXT | CONSTRUCTED | number, values);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] tagged(int tag, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (value.length < 0x80) {
      out.write(value.length);
    } else {
      byte[] length = BigInteger.valueOf(value.length).toByteArray();
      int skip = length[0] == 0 ? 1 : 0;
      out.write(0x80 | length.length - skip);
      out.write(length, skip, length.length - skip);
    }
    out.writeBytes(value);
    return out.toByteArray();
  }
}
