package dev.holdfast.bench.net;

import java.io.IOException;

/** Does operations together with the other ranks; used by one thread. */
interface Performer extends AutoCloseable {
  /** Does it once with known values; the number of elements that are wrong afterwards. */
  long check(Operation operation) throws IOException;

  /** Does it so often, all ranks beginning together; the nanoseconds of each. */
  long[] time(Operation operation, int iterations) throws IOException;

  /** What performs, where that is not ourselves: the version of a library, a device. */
  default String about() {
    return "";
  }

  @Override
  void close();
}
