package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One collective operation at one size.
 *
 * @param bytes of the whole buffer, as nccl-tests counts them
 * @param root the rank that gives or gets, where there is one
 * @param pieces so many calls one after the other are measured as one, each on the bytes that
 *     follow those of the call before; a single one where every call is measured by itself
 */
public record Operation(
    Collective collective,
    Algorithm algorithm,
    long bytes,
    Element element,
    int root,
    int ranks,
    int pieces) {

  Operation(
      Collective collective,
      Algorithm algorithm,
      long bytes,
      Element element,
      int root,
      int ranks) {
    this(collective, algorithm, bytes, element, root, ranks, 1);
  }

  /** An operation of at most this size by the rules of nccl-tests, the algorithm chosen by size. */
  static Operation of(Collective collective, long bytes, Element element, int root, int ranks) {
    long exact = size(collective, bytes, element, ranks);
    return new Operation(
        collective, Schedule.algorithm(collective, exact, ranks), exact, element, root, ranks);
  }

  /** Blocks of all ranks are equally long, and of whole 16 bytes. */
  private static long size(Collective collective, long bytes, Element element, int ranks) {
    return switch (collective) {
      case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER ->
          bytes / ranks / 16 * 16 * ranks;
      case BARRIER -> 0;
      default -> bytes / element.bytes() * element.bytes();
    };
  }

  Operation by(Algorithm other) {
    return new Operation(collective, other, bytes, element, root, ranks, pieces);
  }

  Operation inPieces(int count) {
    return new Operation(collective, algorithm, bytes, element, root, ranks, count);
  }

  /** What all pieces lie in. */
  long room() {
    return bytes * pieces;
  }

  /** How many messages one turn moves: bandwidths are measured over a window of them. */
  int messages() {
    return switch (collective) {
      case BANDWIDTH -> Schedule.WINDOW;
      // Both ways count: what one turn moves is twice the window.
      case BIDIRECTIONAL -> 2 * Schedule.WINDOW;
      // A turn is a round trip, a latency half of it.
      case LATENCY -> 2;
      default -> pieces;
    };
  }

  /** Whether a second buffer is needed. */
  boolean needsOther() {
    return switch (collective) {
      case ALL_TO_ALL, LATENCY, BANDWIDTH, BIDIRECTIONAL -> true;
      default -> false;
    };
  }

  Map<String, @Nullable Object> tree() {
    return Json.map(
        "collective",
        collective.word(),
        "algorithm",
        algorithm.word(),
        "bytes",
        bytes,
        "element",
        element.word(),
        "root",
        root,
        "ranks",
        ranks,
        "pieces",
        pieces);
  }

  static Operation read(Fields fields) {
    return new Operation(
        Collective.named(fields.text("collective")).orElseThrow(),
        Algorithm.valueOf(fields.text("algorithm").toUpperCase(Locale.ROOT)),
        fields.number("bytes"),
        Element.named(fields.text("element")).orElseThrow(),
        fields.integer("root"),
        fields.integer("ranks"),
        fields.integer("pieces", 1));
  }
}
