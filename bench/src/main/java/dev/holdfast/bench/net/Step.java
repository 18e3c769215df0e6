package dev.holdfast.bench.net;

import java.util.List;

/** A part of an operation as one rank sees it; parts are done one after the other. */
sealed interface Step {
  /** Which of a rank's two buffers. */
  int DATA = 0;

  int OTHER = 1;

  /** Bytes of one buffer. */
  record Piece(int buffer, long at, long bytes) {}

  /**
   * Sends to one rank and receives from another, both at once.
   *
   * @param to below zero: nothing is sent
   * @param from below zero: nothing is received
   * @param adding how many of the pieces received are added to what is there; the others replace it
   * @param credit how many bytes may be sent before any was received; each byte received allows one
   *     more. So what is sent can be what was just received
   * @param behind only what was sent may be overwritten: both are the same bytes
   */
  record Transfer(
      int to, List<Piece> out, int from, List<Piece> in, int adding, long credit, boolean behind)
      implements Step {
    static final long AT_ONCE = Long.MAX_VALUE / 4;

    public Transfer {
      out = List.copyOf(out);
      in = List.copyOf(in);
    }

    static Transfer send(int to, Piece... out) {
      return new Transfer(to, List.of(out), -1, List.of(), 0, AT_ONCE, false);
    }

    static Transfer receive(int from, boolean add, Piece... in) {
      return new Transfer(-1, List.of(), from, List.of(in), add ? in.length : 0, AT_ONCE, false);
    }
  }

  /** Copies within the rank. */
  record Local(Piece from, Piece to) implements Step {}
}
