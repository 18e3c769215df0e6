package dev.holdfast.core.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Texts that are what they say. Bytes that are no UTF-8 and halves of surrogate pairs are letters
 * to nobody: who replaces them silently reads a name nobody wrote.
 */
public final class Unicode {
  private static final char INSTEAD = '\ufffd';

  private Unicode() {}

  /** The text of these bytes; {@link IllegalArgumentException} where they are not UTF-8. */
  public static String text(byte[] bytes) {
    return text(ByteBuffer.wrap(bytes));
  }

  /**
   * The text of the bytes that remain; {@link IllegalArgumentException} where they are no UTF-8.
   */
  public static String text(ByteBuffer bytes) {
    int from = bytes.position();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException broken) {
      throw new IllegalArgumentException("not UTF-8 at byte " + (bytes.position() - from), broken);
    }
  }

  /** The same text with U+FFFD for each half of a surrogate pair. */
  static String whole(String text) {
    StringBuilder whole = null;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && at + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(at + 1))) {
        at++;
        continue;
      }
      whole = whole == null ? new StringBuilder(text) : whole;
      whole.setCharAt(at, INSTEAD);
    }
    return whole == null ? text : whole.toString();
  }
}
