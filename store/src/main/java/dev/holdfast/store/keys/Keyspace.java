package dev.holdfast.store.keys;

import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import dev.holdfast.store.protocol.Numbers;
import dev.holdfast.store.protocol.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one attempt of one job, and what each operation does to them.
 *
 * <p>It keeps every oddity PyTorch's clients rely on: a compare-and-set of a missing key answers
 * what was expected, deleting wakes nobody, a key listed twice counts twice, the counter {@code
 * init/} is a key like any other. It does without the costs of PyTorch's servers: a wait that is
 * cancelled, and a client that goes, take out their own places in the lists of waiters and look at
 * nobody else's.
 *
 * <p>Not safe for several threads; whoever calls holds one lock for one keyspace.
 */
public final class Keyspace {
  static final int WAIT_CANCELLED = 1;
  private static final byte[] NOTHING = new byte[0];
  private static final int READY = 0;
  private static final int NOT_READY = 1;
  private static final int WATCH_REGISTERED = 3;
  private static final int OVERHEAD = 96;

  /** What a client's place in the list of those who wait for a key takes. */
  private static final int PLACE = 64;

  /**
   * What looking at one more key, waiter or bucket costs, in bytes that could be copied instead.
   */
  private static final int LOOK = 64;

  private static final int LOOK_AT_BUCKET = 4;

  /** What is taken from the shared budget at once, so that a request seldom has to ask it. */
  private static final long SHARE = 1 << 20;

  private final Limits limits;
  private final Budget budget;
  private final EntryTable table = new EntryTable();
  private final long[] operations = new long[Operation.values().length];
  private long keys;
  private long memory;
  private long granted;
  private long waiting;
  private long wakeUps;
  private long work;

  /** A request that cannot be done; the client is closed and told nothing, as PyTorch does. */
  public static final class Impossible extends RuntimeException {
    private final DropReason reason;

    public Impossible(DropReason reason, String why) {
      super(why, null, false, false);
      this.reason = reason;
    }

    public DropReason reason() {
      return reason;
    }
  }

  /** Keys that share {@code budget} with those of other keyspaces. */
  public Keyspace(Limits limits, Budget budget) {
    this.limits = limits;
    this.budget = budget;
  }

  public long keys() {
    return keys;
  }

  /** Bytes of all keys and values, with something for what they cost beside. */
  public long memory() {
    return memory;
  }

  /** How many clients wait. */
  public long waiting() {
    return waiting;
  }

  /** How many waits have ended because what was waited for came. */
  public long wakeUps() {
    return wakeUps;
  }

  /**
   * What has been done beyond reading what was asked, in bytes that could have been copied in that
   * time: values that were moved, waiters and keys that were looked at.
   */
  public long work() {
    return work;
  }

  /** What a request of so many bytes will cost at the most, or about, in the same unit. */
  public long weight(Operation operation, int length) {
    return switch (operation) {
      case LIST_KEYS -> LOOK * keys + (long) LOOK_AT_BUCKET * table.buckets();
      case WAIT, CHECK, MULTI_SET -> 4L * length;
      case MULTI_GET -> (long) LOOK * length;
      default -> length;
    };
  }

  /** How often each operation was asked for, by its place in {@link Operation}. */
  public long[] operations() {
    return operations.clone();
  }

  /** Does what a complete request asks; {@code start} is at its code. */
  public void execute(
      Client client, Operation operation, byte[] bytes, int start, int end, long nowNanos) {
    operations[operation.ordinal()]++;
    if (client.wait != null && operation != Operation.CANCEL_WAIT) {
      // Clients up to 2.0 give a wait up without a word; what they ask next says so.
      forget(client);
    }
    int body = start + 1;
    switch (operation) {
      case VALIDATE -> {
        if (Numbers.read32(bytes, body) != Dialect.MAGIC) {
          throw new Impossible(DropReason.REQUEST, "a wrong magic number");
        }
      }
      case PING -> client.pinged(Numbers.read32(bytes, body));
      case SET -> set(bytes, body, end);
      case COMPARE_SET -> compareAndSet(client, bytes, body);
      case GET -> answer(client, find(bytes, body + 8, end));
      case ADD -> client.answerNumber(add(bytes, body, Numbers.read64(bytes, end - 8)));
      case CHECK -> client.answer(allReady(bytes, body) ? READY : NOT_READY);
      case WAIT -> await(client, bytes, body, nowNanos);
      case COUNT_KEYS -> client.answerNumber(keys);
      case WATCH_KEY -> client.answer(WATCH_REGISTERED);
      case DELETE_KEY -> client.answerNumber(delete(bytes, body + 8, end) ? 1 : 0);
      case APPEND -> append(bytes, body, end);
      case MULTI_GET -> multiGet(client, bytes, body);
      case MULTI_SET -> multiSet(bytes, body);
      case CANCEL_WAIT -> {
        forget(client);
        client.answer(WAIT_CANCELLED);
      }
      case QUEUE_PUSH -> push(bytes, body, end);
      case QUEUE_POP -> pop(client, find(bytes, body + 8, end));
      case QUEUE_LENGTH -> {
        Entry entry = find(bytes, body + 8, end);
        client.answerNumber(entry == null || entry.queue == null ? 0 : entry.queue.size());
      }
      case LIST_KEYS -> {
        client.answerNumber(keys);
        work += weight(operation, 1);
        forEachKey(key -> client.answerBytes(key, key.length));
      }
      case BARRIER -> barrier(client, bytes, body, Numbers.read64(bytes, end - 8), nowNanos);
    }
  }

  private void set(byte[] bytes, int body, int end) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    put(bytes, body + 8, keyEnd, Arrays.copyOfRange(bytes, keyEnd + 8, end));
  }

  private void put(byte[] bytes, int from, int to, byte[] value) {
    Entry entry = obtain(bytes, from, to);
    replace(entry, value);
    wakeAll(entry);
  }

  private void wakeAll(Entry entry) {
    work += (long) LOOK * entry.wakeAll();
  }

  private static void answer(Client client, @Nullable Entry entry) {
    if (entry == null) {
      client.answerBytes(NOTHING, 0);
    } else {
      entry.answer(client);
    }
  }

  private void replace(Entry entry, byte[] value) {
    account(entry, (long) value.length - entry.size());
    entry.set(value);
  }

  private void compareAndSet(Client client, byte[] bytes, int body) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    int expectedEnd = keyEnd + 8 + (int) Numbers.read64(bytes, keyEnd);
    int desiredEnd = expectedEnd + 8 + (int) Numbers.read64(bytes, expectedEnd);
    Entry entry = find(bytes, body + 8, keyEnd);
    boolean present = entry != null && entry.hasValue();
    boolean emptyExpected = expectedEnd == keyEnd + 8;
    if (!present && !emptyExpected) {
      byte[] expected = Arrays.copyOfRange(bytes, keyEnd + 8, expectedEnd);
      client.answerBytes(expected, expected.length);
    } else if (present && entry != null && !entry.valueEquals(bytes, keyEnd + 8, expectedEnd)) {
      entry.answer(client);
    } else {
      byte[] desired = Arrays.copyOfRange(bytes, expectedEnd + 8, desiredEnd);
      put(bytes, body + 8, keyEnd, desired);
      client.answerBytes(desired, desired.length);
    }
  }

  private long add(byte[] bytes, int body, long delta) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    Entry entry = obtain(bytes, body + 8, keyEnd);
    long result = count(entry, delta);
    wakeAll(entry);
    return result;
  }

  private long count(Entry entry, long delta) {
    int before = entry.size();
    boolean had = entry.hasValue();
    try {
      long result = entry.add(delta);
      if (!had) {
        keys++;
      }
      memory += entry.size() - before;
      return result;
    } catch (ArithmeticException notNumber) {
      throw new Impossible(DropReason.REQUEST, "ADD to a value that is not a number");
    }
  }

  private boolean allReady(byte[] bytes, int body) {
    long count = Numbers.read64(bytes, body);
    int at = body + 8;
    for (long i = 0; i < count; i++) {
      int keyEnd = at + 8 + (int) Numbers.read64(bytes, at);
      Entry entry = find(bytes, at + 8, keyEnd);
      if (entry == null || !entry.ready()) {
        return false;
      }
      at = keyEnd;
    }
    return true;
  }

  private void await(Client client, byte[] bytes, int body, long nowNanos) {
    long count = Numbers.read64(bytes, body);
    int at = body + 8;
    Wait wait = null;
    for (long i = 0; i < count; i++) {
      int keyEnd = at + 8 + (int) Numbers.read64(bytes, at);
      Entry entry = find(bytes, at + 8, keyEnd);
      if (entry == null || !entry.ready()) {
        if (wait == null) {
          // At once, so that one the store has no room for is taken out again.
          wait = begin(client, nowNanos);
        }
        add(wait, obtain(bytes, at + 8, keyEnd), 0);
      }
      at = keyEnd;
    }
    if (wait == null) {
      client.answer(Waiting.STOP_WAITING);
    }
  }

  private void barrier(Client client, byte[] bytes, int body, long world, long nowNanos) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    Entry entry = obtain(bytes, body + 8, keyEnd);
    boolean first = !entry.hasValue();
    long arrived = count(entry, 1);
    if (first || arrived >= world) {
      wakeAll(entry);
    }
    if (arrived >= world) {
      client.answer(Waiting.STOP_WAITING);
    } else {
      add(begin(client, nowNanos), entry, world);
    }
  }

  private void add(Wait wait, Entry entry, long barrier) {
    reserve(entry, PLACE);
    wait.add(entry, barrier);
  }

  private Wait begin(Client client, long nowNanos) {
    Wait wait = new Wait(this, client, nowNanos);
    client.wait = wait;
    waiting++;
    return wait;
  }

  /** What a client waited for is there. */
  void woken(Wait wait) {
    Client client = wait.client;
    client.wait = null;
    waiting--;
    wakeUps++;
    free((long) PLACE * wait.places);
    client.answer(Waiting.STOP_WAITING);
  }

  private boolean delete(byte[] bytes, int from, int to) {
    Entry entry = find(bytes, from, to);
    if (entry == null || !entry.hasValue()) {
      return false;
    }
    keys--;
    free(entry.size());
    entry.clear();
    dropIfIdle(entry);
    return true;
  }

  private void append(byte[] bytes, int body, int end) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    Entry entry = obtain(bytes, body + 8, keyEnd);
    int more = end - (keyEnd + 8);
    if ((long) entry.length() + more > limits.value()) {
      throw new Impossible(
          DropReason.REQUEST, "APPEND makes a value longer than " + limits.value() + " bytes");
    }
    int size = entry.sizeWith(more, limits.value());
    account(entry, (long) size - entry.size());
    work += entry.append(bytes, keyEnd + 8, end, size);
    wakeAll(entry);
  }

  private void multiGet(Client client, byte[] bytes, int body) {
    long count = Numbers.read64(bytes, body);
    int at = body + 8;
    for (long i = 0; i < count; i++) {
      int keyEnd = at + 8 + (int) Numbers.read64(bytes, at);
      Entry entry = find(bytes, at + 8, keyEnd);
      answer(client, entry);
      at = keyEnd;
    }
  }

  private void multiSet(byte[] bytes, int body) {
    long count = Numbers.read64(bytes, body);
    int at = body + 8;
    for (long i = 0; i < count; i++) {
      int keyEnd = at + 8 + (int) Numbers.read64(bytes, at);
      int valueEnd = keyEnd + 8 + (int) Numbers.read64(bytes, keyEnd);
      put(bytes, at + 8, keyEnd, Arrays.copyOfRange(bytes, keyEnd + 8, valueEnd));
      at = valueEnd;
    }
  }

  private void push(byte[] bytes, int body, int end) {
    int keyEnd = body + 8 + (int) Numbers.read64(bytes, body);
    Entry entry = obtain(bytes, body + 8, keyEnd);
    int length = end - (keyEnd + 8);
    reserve(entry, length + OVERHEAD);
    if (entry.queue == null) {
      entry.queue = new ArrayDeque<>();
    }
    entry.queue.add(Arrays.copyOfRange(bytes, keyEnd + 8, end));
    Waiting first = entry.firstWaiting;
    if (first != null && first.barrier == 0) {
      first.wake();
    }
  }

  private void pop(Client client, @Nullable Entry entry) {
    ArrayDeque<byte[]> queue = entry == null ? null : entry.queue;
    if (entry == null || queue == null || queue.isEmpty()) {
      client.answerNumber(0);
      return;
    }
    byte[] value = queue.element();
    client.answerNumber(queue.size());
    client.answerBytes(value, value.length);
    queue.remove(); // only now: where there is no room for the answer, nothing is lost
    if (queue.isEmpty()) {
      entry.queue = null; // else it would stay as large as it ever was
    }
    free(value.length + OVERHEAD);
    dropIfIdle(entry);
  }

  /** Takes a client out of every list it waits in: when it gives up, asks anew or is gone. */
  public void forget(Client client) {
    Wait wait = client.wait;
    if (wait == null) {
      return;
    }
    client.wait = null;
    waiting--;
    free((long) PLACE * wait.places);
    for (Waiting at = wait.first; at != null; at = at.sibling) {
      if (at.linked) {
        at.unlink();
        dropIfIdle(at.entry);
      }
    }
  }

  private void account(Entry entry, long growth) {
    reserve(entry, growth);
    if (!entry.hasValue()) {
      keys++;
    }
  }

  /** An entry made for something there is no room for does not stay. */
  private void reserve(Entry entry, long growth) {
    try {
      reserve(growth);
    } catch (Impossible full) {
      dropIfIdle(entry);
      throw full;
    }
  }

  private void reserve(long growth) {
    long needed = memory + growth;
    if (needed > limits.memory() || !grant(needed)) {
      throw new Impossible(DropReason.FULL, "the store is full: " + memory + " bytes");
    }
    memory = needed;
  }

  private boolean grant(long needed) {
    if (needed <= granted) {
      return true;
    }
    for (long more : new long[] {needed - granted + SHARE, needed - granted}) {
      if (budget.take(more)) {
        granted += more;
        return true;
      }
    }
    return false;
  }

  private void free(long bytes) {
    memory -= bytes;
    if (granted - memory > 4 * SHARE) {
      budget.count(memory + SHARE - granted);
      granted = memory + SHARE;
    }
  }

  /** Gives its share of the budget back; nobody uses the keys any more. */
  public void release() {
    budget.count(-granted);
    granted = 0;
  }

  private @Nullable Entry find(byte[] bytes, int from, int to) {
    return table.find(bytes, from, to);
  }

  private Entry obtain(byte[] bytes, int from, int to) {
    Entry found = table.find(bytes, from, to);
    if (found != null) {
      return found;
    }
    reserve(to - from + OVERHEAD);
    return table.add(bytes, from, to);
  }

  private void dropIfIdle(Entry entry) {
    if (entry.idle() && table.remove(entry)) {
      free(entry.key.length + OVERHEAD);
    }
  }

  private void forEachKey(Consumer<byte[]> consumer) {
    table.forEach(
        entry -> {
          if (entry.hasValue()) {
            consumer.accept(entry.key);
          }
        });
  }

  /** The keys with a value, at most so many, for people. */
  public List<byte[]> keys(int limit) {
    List<byte[]> list = new ArrayList<>();
    forEachKey(
        key -> {
          if (list.size() < limit) {
            list.add(key);
          }
        });
    return list;
  }

  /** The value of a key, for people. */
  public byte @Nullable [] value(byte[] key) {
    Entry entry = find(key, 0, key.length);
    return entry == null || !entry.hasValue() ? null : entry.value();
  }
}
