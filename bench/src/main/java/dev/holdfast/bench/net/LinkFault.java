package dev.holdfast.bench.net;

import java.io.IOException;

/** An operation cannot go on because of another rank. */
final class LinkFault extends IOException {
  private static final long serialVersionUID = 1;

  private final int peer;
  private final boolean ended;

  /**
   * @param ended the other rank closed the link; otherwise it is silent
   */
  LinkFault(int peer, boolean ended, String why) {
    super(why);
    this.peer = peer;
    this.ended = ended;
  }

  int peer() {
    return peer;
  }

  boolean ended() {
    return ended;
  }
}
