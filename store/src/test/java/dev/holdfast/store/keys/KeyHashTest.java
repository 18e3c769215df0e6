package dev.holdfast.store.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  @Test
  void itIsSipHash() {
    // The example of the paper's appendix A: key 00..0f, message 00..0e, two rounds and four.
    byte[] message = new byte[15];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) i;
    }
    KeyHash hash = new KeyHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L, 2, 4);
    assertThat(hash.hash(message, 0, message.length)).isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void twoTablesDoNotAgreeSoNobodyCanChooseKeysThatCollide() {
    byte[] key = "/key".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      seen.add(KeyHash.random().hash(key, 0, key.length));
    }
    assertThat(seen).hasSize(100);
  }

  /**
   * Bits changed in one word and back in the next: what a multiplicative hash cannot tell apart.
   */
  @Test
  void changesThatCancelEachOtherOutAreToldApart() {
    KeyHash hash = KeyHash.random();
    Set<Long> seen = new HashSet<>();
    for (int choice = 0; choice < 4096; choice++) {
      byte[] key = new byte[12 * 16];
      for (int pair = 0; pair < 12; pair++) {
        if ((choice >> pair & 1) != 0) {
          key[pair * 16 + 7] = (byte) 0x80;
          key[pair * 16 + 15] = (byte) 0x80;
          key[pair * 16 + 11] = (byte) 0x80;
        }
      }
      seen.add(hash.hash(key, 0, key.length));
    }
    assertThat(seen).hasSize(4096);
  }
}
