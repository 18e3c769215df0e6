package dev.holdfast.store.keys;

import dev.holdfast.store.protocol.Numbers;
import java.security.SecureRandom;

/**
 * SipHash with a secret of its own for every keyspace. Whoever may connect chooses the keys; with a
 * hash that can be computed outside, a few thousand chosen keys would share one bucket, and every
 * look at one of them would walk through all of them under the lock. A random start of a plain
 * multiplicative hash does not help: there are pairs that collide whatever the start.
 *
 * @see <a href="https://www.aumasson.jp/siphash/siphash.pdf">Aumasson and Bernstein, 2012</a>
 */
final class KeyHash {
  private final long first;
  private final long second;
  private final int rounds;
  private final int lastRounds;

  KeyHash(long first, long second, int rounds, int lastRounds) {
    this.first = first;
    this.second = second;
    this.rounds = rounds;
    this.lastRounds = lastRounds;
  }

  /** With a new secret; one round and three, as the hash tables of Rust and Python have them. */
  static KeyHash random() {
    SecureRandom random = new SecureRandom();
    return new KeyHash(random.nextLong(), random.nextLong(), 1, 3);
  }

  int of(byte[] bytes, int from, int to) {
    long hash = hash(bytes, from, to);
    return (int) (hash ^ hash >>> 32);
  }

  long hash(byte[] bytes, int from, int to) {
    long a = first ^ 0x736f6d6570736575L;
    long b = second ^ 0x646f72616e646f6dL;
    long c = first ^ 0x6c7967656e657261L;
    long d = second ^ 0x7465646279746573L;
    int whole = from + (to - from & -8);
    for (int at = from; at <= whole; at += 8) {
      boolean end = at == whole;
      long word = end ? tail(bytes, at, to, to - from) : Numbers.read64(bytes, at);
      d ^= word;
      int times = rounds;
      for (int step = 0; step < 2; step++) {
        for (int i = 0; i < times; i++) {
          a += b;
          b = Long.rotateLeft(b, 13) ^ a;
          a = Long.rotateLeft(a, 32);
          c += d;
          d = Long.rotateLeft(d, 16) ^ c;
          a += d;
          d = Long.rotateLeft(d, 21) ^ a;
          c += b;
          b = Long.rotateLeft(b, 17) ^ c;
          c = Long.rotateLeft(c, 32);
        }
        if (step == 0) {
          a ^= word;
          if (!end) {
            break;
          }
          c ^= 0xff;
          times = lastRounds;
        }
      }
    }
    return a ^ b ^ c ^ d;
  }

  /** The bytes that do not fill a word, and the length. */
  private static long tail(byte[] bytes, int from, int to, int length) {
    long word = (long) length << 56;
    for (int at = from; at < to; at++) {
      word |= (bytes[at] & 0xffL) << 8 * (at - from);
    }
    return word;
  }
}
