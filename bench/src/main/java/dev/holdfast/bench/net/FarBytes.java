package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.CardBytes;

/**
 * How many bytes a rank exchanged with other machines over its card. One thread counts; another one
 * asks while nothing moves, holding the {@link Wire} the first one spoke over, so that nothing here
 * needs a fence.
 */
final class FarBytes {
  private final String card;
  private long received;
  private long sent;

  /**
   * @param card they come over; empty: nothing is counted
   */
  FarBytes(String card) {
    this.card = card;
  }

  void received(long bytes) {
    received += bytes;
  }

  void sent(long bytes) {
    sent += bytes;
  }

  CardBytes now() {
    return CardBytes.now(card, received, sent);
  }
}
