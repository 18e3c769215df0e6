package dev.holdfast.launch.supervise;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A text to be kept by the supervisor: packed, because it is the small one of the two processes,
 * and in parts no longer than a reader of JSON takes.
 */
public final class KeptText {
  private static final int PART = 4_000;
  private static final int MOST_BYTES = 64 << 20;
  private static final int CHUNK = 16 << 10;

  private KeptText() {}

  public static List<String> parts(String text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
      deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
      deflater.finish();
      byte[] chunk = new byte[CHUNK];
      while (!deflater.finished()) {
        packed.write(chunk, 0, deflater.deflate(chunk));
      }
    }
    String letters = Base64.getEncoder().encodeToString(packed.toByteArray());
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < letters.length(); at += PART) {
      parts.add(letters.substring(at, Math.min(letters.length(), at + PART)));
    }
    return parts;
  }

  /**
   * @throws IllegalArgumentException when the parts are not those of a text
   */
  public static String text(List<String> parts) {
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(Base64.getDecoder().decode(String.join("", parts)));
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK];
      while (!inflater.finished()) {
        int count = inflater.inflate(chunk);
        text.write(chunk, 0, count);
        boolean starved = count == 0 && !inflater.finished();
        if (starved || text.size() > MOST_BYTES) {
          throw new IllegalArgumentException("kept text: it ends early or never");
        }
      }
      return text.toString(StandardCharsets.UTF_8);
    } catch (DataFormatException problem) {
      throw new IllegalArgumentException("kept text: it was not packed here", problem);
    }
  }
}
