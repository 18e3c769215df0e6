package dev.holdfast.doctor.pcie;

import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * The configuration space of a PCI function, as the hexadecimal text of the probe {@code
 * pci-config/ADDRESS}. Without rights the kernel gives only the first 64 bytes.
 */
final class ConfigurationSpace {
  private static final int EXTENDED = 0x100;
  private static final int ACCESS_CONTROL = 0x000d;
  private static final int MAX_CAPABILITIES = 64;

  private final byte[] bytes;

  private ConfigurationSpace(byte[] bytes) {
    this.bytes = bytes;
  }

  static ConfigurationSpace parse(String hexadecimal) {
    String digits = hexadecimal.strip();
    try {
      return new ConfigurationSpace(HexFormat.of().parseHex(digits));
    } catch (IllegalArgumentException e) {
      return new ConfigurationSpace(new byte[0]);
    }
  }

  /** Whether the part that holds extended capabilities was given at all. */
  boolean extended() {
    return bytes.length >= EXTENDED + 4;
  }

  /** The control register of Access Control Services; nothing where the function has none. */
  OptionalInt accessControl() {
    int at = EXTENDED;
    for (int count = 0; count < MAX_CAPABILITIES && at >= EXTENDED; count++) {
      int header = word(at) | word(at + 2) << 16;
      if ((header & 0xffff) == ACCESS_CONTROL) {
        return at + 8 <= bytes.length ? OptionalInt.of(word(at + 6)) : OptionalInt.empty();
      }
      at = header >>> 20 & 0xffc;
    }
    return OptionalInt.empty();
  }

  private int word(int at) {
    return at + 1 < bytes.length ? bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 : 0;
  }
}
