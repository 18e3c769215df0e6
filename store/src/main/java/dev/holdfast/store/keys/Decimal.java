package dev.holdfast.store.keys;

/** Reads a number from the text a client stored, as the C library's {@code stoll} does. */
final class Decimal {
  private Decimal() {}

  static long parse(byte[] text) {
    int at = 0;
    while (at < text.length && (text[at] == ' ' || text[at] >= 9 && text[at] <= 13)) {
      at++;
    }
    boolean negative = at < text.length && text[at] == '-';
    if (negative || at < text.length && text[at] == '+') {
      at++;
    }
    int digits = at;
    long value = 0;
    for (; at < text.length && text[at] >= '0' && text[at] <= '9'; at++) {
      value = Math.addExact(Math.multiplyExact(value, 10L), text[at] - '0');
    }
    if (at == digits) {
      throw new ArithmeticException("the value is not a number");
    }
    return negative ? -value : value;
  }
}
