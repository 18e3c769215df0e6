package dev.holdfast.store.manage;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Who gave wrong tokens lately: after a few, an address is not listened to for a minute. */
final class Strikes {
  private static final int ALLOWED = 5;
  private static final long WINDOW = Duration.ofMinutes(1).toNanos();
  private static final int ADDRESSES = 1024;

  private record Count(long sinceNanos, int wrong) {}

  private final LongSupplier nanos;
  private final Map<String, Count> counts = new LinkedHashMap<>();

  Strikes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized boolean out(String address) {
    Count count = counts.get(address);
    return count != null
        && nanos.getAsLong() - count.sinceNanos() < WINDOW
        && count.wrong() >= ALLOWED;
  }

  synchronized void wrong(String address) {
    long now = nanos.getAsLong();
    Count old = counts.remove(address);
    boolean again = old != null && now - old.sinceNanos() < WINDOW;
    counts.put(
        address,
        again && old != null ? new Count(old.sinceNanos(), old.wrong() + 1) : new Count(now, 1));
    if (counts.size() > ADDRESSES) {
      counts.remove(counts.keySet().iterator().next());
    }
  }
}
