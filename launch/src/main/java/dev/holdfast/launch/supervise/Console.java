package dev.holdfast.launch.supervise;

import java.io.IOException;

/** Where output of ranks is shown. Called by one thread; may block as long as it likes. */
@FunctionalInterface
public interface Console {

  /**
   * Writes whole lines, their ends included.
   *
   * @param error whether they came from a stream for errors
   */
  void write(boolean error, byte[] bytes, int length) throws IOException;
}
