package dev.holdfast.bench.net;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A way to one other rank and back. Nothing here waits: a call moves what can be moved now and says
 * how much that was. Bytes arrive in the order they were sent.
 */
interface Link {
  int peer();

  /** Takes bytes to be sent; 0 when there is no room now. */
  long send(MemorySegment from, long at, long bytes) throws IOException;

  /** Puts bytes received where they belong; 0 when there are none now. */
  long receive(MemorySegment into, long at, long bytes) throws IOException;

  /** As {@link #receive}, but adds whole elements to those that are there. */
  long receiveAdding(MemorySegment into, long at, long bytes, Element element) throws IOException;
}
