package dev.holdfast.store.ledger;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/** One line of the ledger: a checksum, a space, JSON. A line that was cut or changed is seen. */
final class Frame {
  private static final int SUM = 8;

  private Frame() {}

  static byte[] write(String json) {
    return (sum(json) + " " + json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The JSON of a line; nothing where the line is not as it was written. */
  static Optional<String> read(String line) {
    if (line.length() <= SUM + 1 || line.charAt(SUM) != ' ') {
      return Optional.empty();
    }
    String json = line.substring(SUM + 1);
    return line.startsWith(sum(json)) ? Optional.of(json) : Optional.empty();
  }

  private static String sum(String json) {
    CRC32C sum = new CRC32C();
    sum.update(json.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }
}
