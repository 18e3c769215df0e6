package dev.holdfast.agent.watch;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A check that is not begun again while it still hangs. A read that hangs in the kernel cannot be
 * ended, so without this each round would leave one more thread behind.
 */
final class OneAtATime implements Check {
  private static final long IDLE = 0;

  private final Check check;
  private final AtomicLong began = new AtomicLong(IDLE);

  OneAtATime(Check check) {
    this.check = check;
  }

  @Override
  public CheckInfo info() {
    return check.info();
  }

  @Override
  public void run(Examination exam) {
    long now = System.nanoTime() | 1;
    if (!began.compareAndSet(IDLE, now)) {
      throw new Unavailable("still waits for an answer it asked for earlier");
    }
    try {
      check.run(exam);
    } finally {
      began.set(IDLE);
    }
  }

  /** How long the present run takes already, if there is one. */
  Duration running() {
    OptionalLong since = since();
    return since.isEmpty()
        ? Duration.ZERO
        : Duration.ofNanos(System.nanoTime() - since.getAsLong());
  }

  private OptionalLong since() {
    long began = this.began.get();
    return began == IDLE ? OptionalLong.empty() : OptionalLong.of(began);
  }
}
