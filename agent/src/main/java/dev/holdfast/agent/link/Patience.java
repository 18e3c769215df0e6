package dev.holdfast.agent.link;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long until the next try? Twice as long after each failure, and anywhere in between, so that
 * ten thousand agents do not come back at the same moment.
 */
final class Patience {
  private static final long SHORTEST = Duration.ofMillis(200).toMillis();
  private static final long LONGEST = Duration.ofSeconds(30).toMillis();

  private long limit = SHORTEST;

  void succeeded() {
    limit = SHORTEST;
  }

  void pause() throws InterruptedException {
    long millis = limit / 4 + ThreadLocalRandom.current().nextLong(limit);
    limit = Math.min(LONGEST, limit * 2);
    Thread.sleep(millis);
  }
}
