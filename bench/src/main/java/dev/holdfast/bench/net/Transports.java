package dev.holdfast.bench.net;

import java.util.Locale;

/** Which transport a word means. */
public final class Transports {
  private Transports() {}

  /** Shared memory is the fastest; where there is no room for it, Unix sockets are next. */
  public static Transport named(String word, int ranks) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "auto" -> RankPlaces.room(ranks) > 0 ? Transport.SHM : Transport.UNIX;
      case "tcp" -> Transport.TCP;
      case "unix" -> Transport.UNIX;
      case "shm" -> Transport.SHM;
      default ->
          throw new IllegalArgumentException(
              "--transport: auto, tcp, unix or shm, not '" + word + "'");
    };
  }
}
