package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.bench.net.Step.Piece;
import dev.holdfast.bench.net.Step.Transfer;
import java.util.List;

/**
 * How many bytes our own calls put on the loopback interface at most. What was counted there beyond
 * them is of others.
 */
final class OwnTraffic {
  /** Headers, and answers that only say what was received, of one message. */
  private static final long A_MESSAGE = 200;

  private static final double HEADERS = 1.01;

  /** Orders, and times of single calls in text. */
  private static final long AN_ORDER = 64 << 10;

  private final boolean counts;
  private double bytes;

  /**
   * @param counts whether our bytes go over that interface at all
   */
  OwnTraffic(boolean counts) {
    this.counts = counts;
  }

  /** All ranks did it so often. */
  void add(Operation operation, int calls) {
    if (counts) {
      bytes += calls * ofCall(operation) + AN_ORDER * operation.ranks();
    }
  }

  /** Bytes so far; nothing is counted where bytes do not go over an interface of this machine. */
  long bytes() {
    return counts ? (long) bytes : Load.NOT_COUNTED;
  }

  static double ofCall(Operation operation) {
    double all = 0;
    Operation once = operation.inPieces(1);
    for (int rank = 0; rank < once.ranks(); rank++) {
      for (Step step : Schedule.of(once, rank)) {
        if (step instanceof Transfer transfer) {
          all += ofPieces(transfer.out());
        }
      }
    }
    return all * operation.pieces();
  }

  private static double ofPieces(List<Piece> pieces) {
    double all = 0;
    for (Piece piece : pieces) {
      all += HEADERS * piece.bytes() + A_MESSAGE;
    }
    return all;
  }
}
