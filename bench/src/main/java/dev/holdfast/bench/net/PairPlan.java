package dev.holdfast.bench.net;

/**
 * How pairs of ranks are measured.
 *
 * @param streams sockets for each pair, each way
 * @param bytes of a message of the stream; 64 of them are on their way at once
 * @param exchanges of small messages, one after the other: what waits in them was lost on the way
 * @param streamSeconds about how long the stream lasts
 * @param bind whether each rank has a core to itself where there are enough
 * @param silenceSeconds when nothing moves for so long, the pair has failed
 */
public record PairPlan(
    int ranks,
    Transport transport,
    int streams,
    long bytes,
    int exchanges,
    double streamSeconds,
    boolean bind,
    double silenceSeconds) {
  /** Beyond this a matrix says nothing to anybody. */
  public static final int MOST_RANKS = 512;

  private static final long LARGEST = 16 << 20;

  public PairPlan {
    if (ranks < 2 || ranks > MOST_RANKS) {
      throw new IllegalArgumentException(
          "pairs of 2 to %d ranks are measured, not of %d".formatted(MOST_RANKS, ranks));
    }
    if (transport != Transport.TCP && transport != Transport.UNIX) {
      throw new IllegalArgumentException(
          "--transport: pairs are measured over tcp or unix, not " + transport.word());
    }
    if (streams < 1 || streams > 64) {
      throw new IllegalArgumentException("--streams: from 1 to 64, not " + streams);
    }
    if (bytes < 1 || bytes > LARGEST) {
      throw new IllegalArgumentException("--bytes: from 1 to 16 MiB, not " + bytes);
    }
    if (exchanges < 1 || !(streamSeconds > 0)) {
      throw new IllegalArgumentException("--exchanges and --seconds must be more than 0");
    }
    if (exchanges > NetPlan.MOST_ITERATIONS) {
      throw new IllegalArgumentException(
          "--exchanges: at most %d, not %d".formatted(NetPlan.MOST_ITERATIONS, exchanges));
    }
    if (!(silenceSeconds >= 1)) {
      throw new IllegalArgumentException("--timeout: at least 1 s");
    }
  }

  /** The same everywhere, or they are refused. */
  public String words() {
    return "pairs of %d ranks over %s with %d streams of %d bytes"
        .formatted(ranks, transport.word(), streams, bytes);
  }
}
