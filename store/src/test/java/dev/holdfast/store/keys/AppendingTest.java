package dev.holdfast.store.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import dev.holdfast.store.protocol.Operation;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a request costs beyond its own bytes, and that all of it is counted. */
class AppendingTest {
  private static final int LONGEST = Limits.DEFAULT.value();

  private final Budget budget = new Budget(Limits.DEFAULT.memory());
  private final Keyspace keyspace = new Keyspace(Limits.DEFAULT, budget);
  private final Asking client = new Asking();

  /** Remembers what it was answered last. */
  private static final class Asking extends Client {
    private byte[] lent = new byte[0];
    private int length;
    private long answers;

    @Override
    protected void answer(int value) {
      answers++;
    }

    @Override
    protected void answerNumber(long value) {
      answers++;
    }

    @Override
    protected void answerBytes(byte[] value, int count) {
      lent = value;
      length = count;
      answers++;
    }

    @Override
    protected void pinged(int nonce) {}

    byte[] bytes() {
      return Arrays.copyOf(lent, length);
    }
  }

  private void ask(Client who, Operation operation, Object... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    for (Object field : fields) {
      if (field instanceof byte[] bytes) {
        out.writeBytes(number(bytes.length));
        out.writeBytes(bytes);
      } else {
        out.writeBytes(number((Long) field));
      }
    }
    keyspace.execute(who, operation, out.toByteArray(), 0, out.size(), 0);
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aByteAppendedToALargeValueCostsNoCopyOfIt() {
    int appends = 20_000;
    ask(client, Operation.SET, text("k"), new byte[LONGEST - appends]);
    for (int i = 0; i < appends; i++) {
      ask(client, Operation.APPEND, text("k"), text("y"));
    }
    ask(client, Operation.GET, text("k"));
    assertThat(client.length).isEqualTo(LONGEST);
    assertThat(keyspace.work()).isLessThan(2L * LONGEST);
    assertThat(keyspace.memory()).isLessThan(LONGEST + 1000);
    assertThatThrownBy(() -> ask(client, Operation.APPEND, text("k"), text("y")))
        .isInstanceOf(Keyspace.Impossible.class)
        .hasMessageContaining("longer than " + LONGEST);
  }

  @Test
  void aValueThatGrowsByteByByteMovesItsBytesAFewTimesAndHasRoomForHalfAsMuchAtMost() {
    int length = 1 << 20;
    for (int i = 0; i < length; i++) {
      ask(client, Operation.APPEND, text("k"), text("y"));
    }
    assertThat(keyspace.work()).isLessThan(4L * length);
    assertThat(keyspace.memory()).isBetween((long) length, length * 3L / 2 + 1000);
  }

  @Test
  void roomThatDoesNotFitIntoTheBudgetIsRefused() {
    Keyspace small = new Keyspace(Limits.DEFAULT, new Budget(10_000));
    byte[] bytes = new byte[5000];
    byte[] set = request(text("k"), bytes);
    small.execute(client, Operation.SET, set, 0, set.length, 0);
    byte[] append = request(text("k"), text("y"));
    assertThatThrownBy(
            () -> {
              small.execute(client, Operation.SET, set, 0, set.length, 0);
              byte[] other = request(text("l"), bytes);
              small.execute(client, Operation.SET, other, 0, other.length, 0);
            })
        .isInstanceOf(Keyspace.Impossible.class)
        .extracting(full -> ((Keyspace.Impossible) full).reason())
        .isEqualTo(DropReason.FULL);
    small.execute(client, Operation.APPEND, append, 0, append.length, 0);
    assertThat(small.memory()).isBetween(7500L, 7700L);
  }

  private static byte[] request(byte[] key, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    out.writeBytes(number(key.length));
    out.writeBytes(key);
    out.writeBytes(number(value.length));
    out.writeBytes(value);
    return out.toByteArray();
  }

  /** Whatever is done to values, they are what they would be, and what is counted is given back. */
  @Test
  void valuesAreRightAndWhatWasLentStaysAsItWas() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      Map<String, String> model = new HashMap<>();
      for (int step = 0; step < 300; step++) {
        String key = "k" + random.nextInt(3);
        String value = Integer.toString(random.nextInt(random.nextBoolean() ? 10 : 1_000_000));
        String old = model.getOrDefault(key, "");
        switch (random.nextInt(6)) {
          case 0 -> {
            ask(client, Operation.SET, text(key), text(value));
            model.put(key, value);
          }
          case 1, 2 -> {
            ask(client, Operation.APPEND, text(key), text(value));
            model.put(key, old + value);
          }
          case 3 -> {
            ask(client, Operation.DELETE_KEY, text(key));
            model.remove(key);
          }
          case 4 -> {
            if (old.length() < 15) {
              ask(client, Operation.ADD, text(key), 7L);
              model.put(key, Long.toString((old.isEmpty() ? 0 : Long.parseLong(old)) + 7));
            }
          }
          default -> {
            ask(client, Operation.COMPARE_SET, text(key), text(old), text(value));
            model.put(key, value);
          }
        }
        ask(client, Operation.GET, text(key));
        byte[] lent = client.lent;
        int length = client.length;
        assertThat(client.bytes()).asString().isEqualTo(model.getOrDefault(key, ""));
        ask(client, Operation.APPEND, text(key), text("1"));
        assertThat(Arrays.copyOf(lent, length)).asString().isEqualTo(model.getOrDefault(key, ""));
        model.put(key, model.getOrDefault(key, "") + "1");
      }
      for (int i = 0; i < 3; i++) {
        ask(client, Operation.DELETE_KEY, text("k" + i));
      }
      assertThat(keyspace.memory()).as("seed %d", seed).isZero();
    }
  }

  @Test
  void placesOfThoseWhoWaitAreCountedUntilTheirWaitEnds() {
    Asking waiter = new Asking();
    Object[] same = new Object[1001];
    Arrays.fill(same, text("w"));
    same[0] = 1000L;
    ask(waiter, Operation.WAIT, same);
    assertThat(keyspace.memory()).isGreaterThan(64_000);
    ask(waiter, Operation.CANCEL_WAIT);
    assertThat(keyspace.memory()).isZero();
    ask(waiter, Operation.WAIT, same);
    ask(client, Operation.SET, text("w"), text(""));
    assertThat(waiter.answers).isEqualTo(2);
    ask(client, Operation.DELETE_KEY, text("w"));
    assertThat(keyspace.memory()).isZero();
  }

  @Test
  void howManyHaveComeToABarrierIsReadOnceForAllWhoWaitThere() {
    byte[] spaces = new byte[LONGEST];
    Arrays.fill(spaces, (byte) ' ');
    int waiters = 1000;
    for (int i = 0; i < waiters; i++) {
      ask(new Asking(), Operation.BARRIER, text("b"), 2000L);
    }
    long before = keyspace.work();
    ask(client, Operation.SET, text("b"), spaces);
    assertThat(keyspace.work() - before).isEqualTo(64L * waiters);
    ask(client, Operation.SET, text("b"), text(" 2000 and more"));
    assertThat(keyspace.waiting()).isZero();
  }

  @Test
  void aQueueThatIsEmptyKeepsNoRoom() {
    ask(client, Operation.SET, text("q"), text("value"));
    for (int i = 0; i < 1000; i++) {
      ask(client, Operation.QUEUE_PUSH, text("q"), text("" + i));
    }
    for (int i = 0; i < 1000; i++) {
      ask(client, Operation.QUEUE_POP, text("q"));
      assertThat(client.bytes()).asString().isEqualTo("" + i);
    }
    ask(client, Operation.DELETE_KEY, text("q"));
    assertThat(keyspace.memory()).isZero();
  }
}
