package dev.holdfast.os.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the first bytes of a stream and throws the rest away; never waits for more to come. */
final class BoundedSink {
  /** So that one talkative stream starves neither the other nor the deadline. */
  private static final int MOST_AT_ONCE = 1 << 20;

  private final int limit;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[65536];
  private boolean truncated;

  BoundedSink(int limit) {
    this.limit = limit;
  }

  /** Takes what can be read at once and tells whether that was anything. */
  boolean take(InputStream stream) throws IOException {
    int taken = 0;
    while (taken < MOST_AT_ONCE && stream.available() > 0) {
      int count = stream.read(buffer, 0, buffer.length);
      if (count < 0) {
        break;
      }
      int keep = Math.min(count, limit - kept.size());
      kept.write(buffer, 0, keep);
      truncated |= keep < count;
      taken += count;
    }
    return taken > 0;
  }

  boolean truncated() {
    return truncated;
  }

  String text() {
    return kept.toString(StandardCharsets.UTF_8);
  }
}
