package dev.holdfast.doctor.snapshot;

import java.util.HexFormat;

/**
 * Replaces the serial number a PCI device carries in its configuration space: the capability with
 * number 3 in the chained list from 0x100 (PCI Express base specification, "Device Serial Number").
 */
final class PciSerial {
  private static final int FIRST = 0x100;
  private static final int SERIAL = 3;
  private static final int MOST = 64;

  private PciSerial() {}

  /** The same configuration space, as hexadecimal digits; anything else is returned as it came. */
  static String blank(String text, Pseudonyms pseudonyms) {
    String digits = text.strip();
    int at = FIRST;
    for (int i = 0; i < MOST && at >= FIRST && (at + 12) * 2 <= digits.length(); i++) {
      int header = word(digits, at);
      if ((header & 0xFFFF) == SERIAL) {
        int from = (at + 4) * 2;
        String own = digits.substring(from, from + 16);
        return digits.substring(0, from)
            + pseudonyms.sameShape(own)
            + digits.substring(from + 16)
            + text.substring(text.stripTrailing().length());
      }
      at = header >>> 20;
    }
    return text;
  }

  /** Four bytes, the least first; 0 where there are no digits. */
  private static int word(String digits, int at) {
    try {
      return Integer.reverseBytes(HexFormat.fromHexDigits(digits, at * 2, at * 2 + 8));
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }
}
