package dev.holdfast.core.topology;

import java.util.BitSet;

/** The text forms of sets of numbers: the kernel's list and everybody's hexadecimal masks. */
final class IdText {
  /** As long as a mask or a list of all can be, with every number written out. */
  private static final int MAX_CHARACTERS = 8 * (IdSet.MAX_ID + 1);

  private static final int WORD = 32;

  private IdText() {}

  static IdSet list(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "a list of numbers with more than " + MAX_CHARACTERS + " characters");
    }
    if (text.isBlank()) {
      return IdSet.EMPTY;
    }
    BitSet bits = new BitSet();
    for (String part : text.strip().split(",", -1)) {
      String range = part.strip();
      int dash = range.indexOf('-');
      int first = number(dash < 0 ? range : range.substring(0, dash), text);
      int last = dash < 0 ? first : number(range.substring(dash + 1), text);
      if (first > last) {
        throw new IllegalArgumentException(
            "'" + Shown.of(text) + "' has a range that runs backwards");
      }
      bits.set(first, last + 1);
    }
    return IdSet.copyOf(bits);
  }

  private static int number(String digits, String text) {
    try {
      return IdSet.checked(Integer.parseInt(digits.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + Shown.of(text) + "' is not a list of numbers such as 0-3,8", e);
    }
  }

  static String list(IdSet set) {
    StringBuilder out = new StringBuilder();
    for (int first = set.first(); first >= 0; ) {
      int last = first;
      while (set.contains(last + 1)) {
        last++;
      }
      out.append(out.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        out.append('-').append(last);
      }
      first = set.next(last + 1);
    }
    return out.toString();
  }

  /** Read from the low end: words of 32 bits between commas, or one number of any length. */
  static IdSet mask(String text) {
    String mask = text.strip();
    long[] bits = new long[mask.length() / 16 + 1];
    int commas = 0;
    for (int i = 0; i < mask.length(); i++) {
      commas += mask.charAt(i) == ',' ? 1 : 0;
    }
    if (mask.length() > MAX_CHARACTERS || commas >= (IdSet.MAX_ID + 1) / WORD) {
      throw tooLong();
    }
    if (commas > 0) {
      bits = new long[commas / 2 + 1];
    }
    int end = mask.length();
    for (int word = 0; word <= commas; word++) {
      int start = mask.lastIndexOf(',', end - 1) + 1;
      int from = mask.startsWith("0x", start) && start + 2 <= end ? start + 2 : start;
      if (commas == 0 && end - from > (IdSet.MAX_ID + 1) / 4) {
        throw tooLong();
      }
      for (int i = end - 1, at = word * WORD; i >= from; i--, at += 4) {
        long digit = hex(mask.charAt(i));
        boolean tooMuch = digit > 0 && commas > 0 && at >= (word + 1) * WORD;
        if (digit < 0 || tooMuch) {
          throw notMask(text);
        }
        if (digit > 0) {
          bits[at / 64] |= digit << at % 64;
        }
      }
      end = start - 1;
    }
    return IdSet.trimmed(0, bits);
  }

  private static int hex(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = (c | 0x20) - 'a';
    return letter >= 0 && letter < 6 ? letter + 10 : -1;
  }

  private static IllegalArgumentException tooLong() {
    return new IllegalArgumentException("a mask with more than " + (IdSet.MAX_ID + 1) + " bits");
  }

  private static IllegalArgumentException notMask(String text) {
    return new IllegalArgumentException(
        "'" + Shown.of(text) + "' is not a mask of hexadecimal words");
  }

  static String mask(IdSet set) {
    StringBuilder hex = new StringBuilder();
    for (int nibble = Math.max(0, set.last()) / 4; nibble >= 0; nibble--) {
      int value = 0;
      for (int bit = 0; bit < 4; bit++) {
        value |= set.contains(4 * nibble + bit) ? 1 << bit : 0;
      }
      hex.append(Character.forDigit(value, 16));
    }
    return "0x" + hex;
  }
}
