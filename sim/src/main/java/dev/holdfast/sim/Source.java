package dev.holdfast.sim;

import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Somebody who reports: keeps what is not durable yet and sends it again until it is. */
public final class Source {
  private static final int MOST = 10_000;
  private static final int AT_ONCE = 500;

  private final String name;
  private final long epoch;
  private final Clock clock;
  private final Line line;
  private final List<Report> waiting = new ArrayList<>();
  private long sequence;

  public Source(String name, long epoch, Clock clock, Line line) {
    this.name = name;
    this.epoch = epoch;
    this.clock = clock;
    this.line = line;
  }

  public String name() {
    return name;
  }

  /** Keeps a statement for the next sending. */
  public synchronized void say(Statement statement) {
    if (waiting.size() < MOST) {
      sequence++;
      waiting.add(new Report(name, epoch, sequence, clock.instant(), statement));
    }
  }

  /** Sends what waits, even when nothing does: that says we are there. */
  public void send() throws IOException, InterruptedException {
    List<Report> batch;
    synchronized (this) {
      batch = List.copyOf(waiting.subList(0, Math.min(AT_ONCE, waiting.size())));
    }
    Receipt receipt = line.tell(name, batch);
    synchronized (this) {
      waiting.removeIf(
          it ->
              it.epoch() < receipt.epoch()
                  || it.epoch() == receipt.epoch() && it.sequence() <= receipt.sequence());
    }
  }

  public synchronized boolean empty() {
    return waiting.isEmpty();
  }
}
