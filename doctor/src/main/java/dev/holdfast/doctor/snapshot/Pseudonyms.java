package dev.holdfast.doctor.snapshot;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Stand-ins for identifiers: the same value always gets the same one, so that what belonged
 * together still does, and nobody without the key can find the value by trying. The key is made for
 * one snapshot and thrown away.
 */
final class Pseudonyms {
  private final byte[] key;

  Pseudonyms(byte[] key) {
    this.key = key.clone();
  }

  /** {@code serial-} and ten digits. */
  String serial(String value) {
    return "serial-" + HexFormat.of().formatHex(hash(value), 0, 5);
  }

  /** Another value with digits where there were digits and letters a–f where there were those. */
  String sameShape(String hexadecimal) {
    byte[] hash = hash(hexadecimal.toLowerCase(Locale.ROOT));
    StringBuilder shaped = new StringBuilder();
    for (int i = 0; i < hexadecimal.length(); i++) {
      char original = hexadecimal.charAt(i);
      int nibble = hash[i / 2 % hash.length] >> (i % 2 * 4) & 0xF;
      char digit = Character.forDigit(nibble, 16);
      shaped.append(
          !Character.isLetterOrDigit(original)
              ? original
              : Character.isUpperCase(original) ? Character.toUpperCase(digit) : digit);
    }
    return shaped.toString();
  }

  /**
   * The last three bytes of an adapter's address. An Ethernet address, the interface identifier
   * made from it and a GUID with the same maker and ending keep ending alike.
   *
   * @param maker the first three bytes of the address
   */
  int ending(int maker, int ending) {
    byte[] hash = hash("adapter " + (maker & ~0x020000) + " " + ending);
    return (hash[0] & 0xFF) << 16 | (hash[1] & 0xFF) << 8 | (hash[2] & 0xFF);
  }

  /** An address of the range kept for benchmarks, 198.18.0.0/15. */
  String publicAddress(String address) {
    byte[] hash = hash(address);
    return "198." + (18 + (hash[0] & 1)) + "." + (hash[1] & 0xFF) + "." + (hash[2] & 0xFF);
  }

  private byte[] hash(String value) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(key);
      return digest.digest(value.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
