package dev.holdfast.control.api.gate;

import dev.holdfast.core.text.MetricsText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whose answer is made next? So many are made at once, no more than a few of them for one who asks;
 * the others wait, and those who asked take turns, so that whoever asks once is not behind somebody
 * who asks a thousand times. Only the making takes a turn, not the sending.
 */
public final class Turns {
  private final int atOnce;
  private final int each;
  private final long patienceNanos;
  private final Map<String, Line> lines = new LinkedHashMap<>();
  private final AtomicLong refused = new AtomicLong();
  private int working;

  /** One who asks: how many of his answers are being made, and what of his waits. */
  private static final class Line {
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int working;
  }

  Turns(int atOnce, int each, long patienceNanos) {
    this.atOnce = atOnce;
    this.each = each;
    this.patienceNanos = patienceNanos;
  }

  /** The right to make one answer, until it is closed; closing twice is closing once. */
  public final class Turn implements AutoCloseable {
    private final String who;
    private final CountDownLatch granted = new CountDownLatch(1);
    private boolean over;

    private Turn(String who) {
      this.who = who;
    }

    @Override
    public void close() {
      synchronized (Turns.this) {
        if (!over) {
          over = true;
          end(this);
        }
      }
    }
  }

  /** Waits for a turn; nothing: it did not come in time. */
  public Optional<Turn> take(String who) throws InterruptedException {
    Turn turn = new Turn(who);
    synchronized (this) {
      lines.computeIfAbsent(who, _ -> new Line()).waiting.add(turn);
      grant();
    }
    boolean granted = false;
    try {
      granted = turn.granted.await(patienceNanos, TimeUnit.NANOSECONDS);
    } finally {
      if (!granted) {
        turn.close();
      }
    }
    if (!granted) {
      refused.incrementAndGet();
    }
    return granted ? Optional.of(turn) : Optional.empty();
  }

  /** Lets those work who may; whoever got a turn goes behind all others. */
  private void grant() {
    boolean more = true;
    while (more && working < atOnce) {
      more = false;
      for (Map.Entry<String, Line> entry : lines.entrySet()) {
        Line line = entry.getValue();
        if (line.working < each && !line.waiting.isEmpty()) {
          lines.remove(entry.getKey());
          lines.put(entry.getKey(), line);
          line.working++;
          working++;
          line.waiting.remove().granted.countDown();
          more = true;
          break;
        }
      }
    }
  }

  private void end(Turn turn) {
    Line line = lines.get(turn.who);
    if (line == null) {
      return;
    }
    if (!line.waiting.remove(turn)) {
      line.working--;
      working--;
    }
    if (line.working == 0 && line.waiting.isEmpty()) {
      lines.remove(turn.who);
    }
    grant();
  }

  synchronized int waiting() {
    return lines.values().stream().mapToInt(it -> it.waiting.size()).sum();
  }

  void write(MetricsText text) {
    text.one(
        "holdfast_control_answers_waiting",
        "gauge",
        "Questions that wait until their answer is made.",
        waiting());
    text.one(
        "holdfast_control_answers_too_late_total",
        "counter",
        "Questions that were refused because their turn did not come in time.",
        refused.get());
  }
}
