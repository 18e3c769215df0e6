package dev.holdfast.core.text;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A line of an append log: eight hexadecimal digits of CRC-32C, a space, JSON. A line that was cut
 * or changed is seen, and {@code cut -c10- FILE | jq} reads the rest.
 */
public final class SummedLine {
  private static final int SUM = 8;

  private SummedLine() {}

  /** The line with its end. */
  public static byte[] write(String json) {
    return (sum(json) + " " + json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The JSON of a line; nothing where the line is not as it was written. */
  public static Optional<String> read(String line) {
    if (line.length() <= SUM + 1 || line.charAt(SUM) != ' ') {
      return Optional.empty();
    }
    String json = line.substring(SUM + 1);
    return line.startsWith(sum(json)) ? Optional.of(json) : Optional.empty();
  }

  private static String sum(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return sum(bytes, 0, bytes.length);
  }

  /** The digits that stand before these bytes, for who reads bytes rather than text. */
  public static String sum(byte[] bytes, int from, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, from, length);
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }
}
