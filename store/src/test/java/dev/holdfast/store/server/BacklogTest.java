package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final int BATCH = 5000;

  /**
   * Whatever is put in in whatever pieces comes out in order, and what is counted is what is held.
   */
  @Test
  void bytesComeOutAsTheyWentInAndAreCountedWhileTheyAreThere() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Buffers buffers = new Buffers(1 << 30);
      Backlog backlog = new Backlog(buffers);
      ByteArrayOutputStream in = new ByteArrayOutputStream();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      List<byte[]> values = new ArrayList<>();
      long now = 0;
      for (int step = 0; step < 60; step++) {
        byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 40 : 90_000)];
        random.nextBytes(bytes);
        switch (random.nextInt(3)) {
          case 0 -> {
            backlog.append(MemorySegment.ofArray(bytes), 0, bytes.length, now++);
            in.writeBytes(bytes);
          }
          case 1 -> {
            if (bytes.length > 0) {
              backlog.lend(bytes, bytes.length, now++);
              values.add(bytes);
              in.writeBytes(bytes);
            }
          }
          default -> send(backlog, out, random);
        }
        assertThat(backlog.size()).as("seed %d", seed).isEqualTo(in.size() - out.size());
        assertThat(buffers.used()).as("lent").isEqualTo(backlog.lent());
        assertThat(backlog.chunks() + backlog.lent()).isGreaterThanOrEqualTo(backlog.size());
      }
      while (!backlog.isEmpty()) {
        send(backlog, out, random);
      }
      assertThat(out.toByteArray()).as("seed %d", seed).isEqualTo(in.toByteArray());
      assertThat(backlog.chunks() + backlog.lent() + buffers.used()).isZero();
    }
  }

  private static void send(Backlog backlog, ByteArrayOutputStream out, Random random) {
    byte[] batch = new byte[BATCH];
    int length = backlog.copyTo(MemorySegment.ofArray(batch), BATCH);
    int taken = length == 0 ? 0 : random.nextInt(length + 1);
    out.writeBytes(Arrays.copyOf(batch, taken));
    backlog.sent(taken);
  }

  @Test
  void aValueLentToManyIsCountedOnceUntilTheLastHasIt() {
    Buffers buffers = new Buffers(1 << 30);
    Backlog one = new Backlog(buffers);
    Backlog other = new Backlog(buffers);
    byte[] value = new byte[1000];
    one.lend(value, value.length, 0);
    one.lend(value, value.length, 1);
    other.lend(value, value.length, 2);
    assertThat(buffers.used()).isEqualTo(1000);
    one.sent(2000);
    assertThat(buffers.used()).isEqualTo(1000);
    other.clear();
    assertThat(buffers.used()).isZero();
  }

  @Test
  void howLongTheFirstByteWaitsIsKnown() {
    Backlog backlog = new Backlog(new Buffers(1 << 30));
    backlog.lend(new byte[10], 10, 7);
    backlog.lend(new byte[10], 10, 9);
    assertThat(backlog.sinceNanos()).isEqualTo(7);
    backlog.sent(10);
    assertThat(backlog.sinceNanos()).isEqualTo(9);
  }
}
