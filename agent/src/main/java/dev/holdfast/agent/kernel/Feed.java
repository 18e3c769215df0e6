package dev.holdfast.agent.kernel;

import java.io.IOException;
import java.util.List;

/**
 * Where kernel lines come from: the device of the kernel, or a file that somebody appends to.
 *
 * <p>A position is a text only the feed itself understands; with one of an earlier life it goes on
 * where that life ended, and with none, or one of another boot, it begins at the beginning.
 */
public interface Feed extends AutoCloseable {
  /**
   * The next lines, at least one, oldest first; waits for them.
   *
   * @return empty when there will be no more
   */
  List<String> next() throws IOException, InterruptedException;

  /** Where the lines returned so far end. */
  String position();

  /** Whether everything that was there when the feed was opened has been returned. */
  boolean caughtUp();

  /** How many lines were overwritten before they could be read. */
  long missed();

  @Override
  void close() throws IOException;
}
