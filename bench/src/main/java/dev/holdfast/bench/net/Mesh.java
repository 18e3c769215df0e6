package dev.holdfast.bench.net;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The links of one rank to all others, and how it waits for them. */
interface Mesh extends AutoCloseable {
  Link link(int peer);

  /** How often to look again at once before anything else is tried. */
  int spins();

  /** How often to let others run before going to sleep. */
  int yields();

  /**
   * Sleeps until one of these links may have something to do, or a short while has passed.
   *
   * @param to waits for room
   * @param from waits for bytes
   */
  void sleep(@Nullable Link to, @Nullable Link from) throws IOException;

  /** Something moved: nobody is about to sleep. */
  void awake();

  @Override
  void close();
}
