package dev.holdfast.store.keys;

/** Reads a number from the text a client stored, as the C library's {@code stoll} does. */
final class Decimal {
  /** No more of a text is looked at; a number of 64 bits has 20 characters. */
  private static final int LONGEST = 1024;

  private Decimal() {}

  /** The number the first bytes of a text begin with. */
  static long parse(byte[] text, int length) {
    int end = Math.min(length, LONGEST);
    int at = 0;
    while (at < end && (text[at] == ' ' || text[at] >= 9 && text[at] <= 13)) {
      at++;
    }
    boolean negative = at < end && text[at] == '-';
    if (negative || at < end && text[at] == '+') {
      at++;
    }
    int digits = at;
    long value = 0;
    for (; at < end && text[at] >= '0' && text[at] <= '9'; at++) {
      value = Math.addExact(Math.multiplyExact(value, 10L), text[at] - '0');
    }
    if (at == digits || at == LONGEST) {
      throw new ArithmeticException("the value is not a number");
    }
    return negative ? -value : value;
  }
}
