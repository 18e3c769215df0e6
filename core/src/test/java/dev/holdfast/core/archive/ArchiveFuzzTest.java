package dev.holdfast.core.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.core.error.HoldfastException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A damaged archive gives its true content or an error, never something else. */
class ArchiveFuzzTest {
  private static final int ROUNDS = 20_000;

  @Test
  void randomDamageNeverYieldsOtherContent() {
    byte[] honest = ArchiveReaderTest.small();
    Map<String, String> truth = texts(honest);
    Random random = new Random(20_260_101);
    assertTimeoutPreemptively(
        Duration.ofSeconds(120),
        () -> {
          int refused = 0;
          for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = damage(honest, random);
            try {
              assertThat(texts(damaged)).isEqualTo(truth);
            } catch (HoldfastException told) {
              assertThat(told.detail()).isNotBlank();
              refused++;
            }
          }
          assertThat(refused).isGreaterThan(ROUNDS / 2);
        });
  }

  private static byte[] damage(byte[] honest, Random random) {
    byte[] damaged = honest.clone();
    switch (random.nextInt(4)) {
      case 0 -> damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      case 1 -> flip(damaged, random, 1);
      case 2 -> flip(damaged, random, 1 + random.nextInt(8));
      default -> {
        // The directory at the end is where the lies that matter are told.
        int at = damaged.length - 1 - random.nextInt(Math.min(400, damaged.length));
        damaged[at] = (byte) random.nextInt(256);
      }
    }
    return damaged;
  }

  private static void flip(byte[] bytes, Random random, int times) {
    for (int i = 0; i < times; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
  }

  private static Map<String, String> texts(byte[] bytes) {
    Map<String, String> texts = new LinkedHashMap<>();
    ArchiveReader.read("x", bytes, ArchiveReaderTest.KIND, ArchiveLimits.DEFAULT)
        .members()
        .forEach((name, content) -> texts.put(name, Arrays.toString(content)));
    return texts;
  }
}
