package dev.holdfast.bench.net;

import java.io.IOException;

/** What is done and measured. */
interface Call {
  void run() throws IOException;

  /** Does it so often; the nanoseconds of each by the clock of this machine. */
  static long[] timed(Call call, int iterations) throws IOException {
    long[] nanos = new long[iterations];
    long before = System.nanoTime();
    for (int i = 0; i < iterations; i++) {
      call.run();
      long now = System.nanoTime();
      nanos[i] = now - before;
      before = now;
    }
    return nanos;
  }
}
