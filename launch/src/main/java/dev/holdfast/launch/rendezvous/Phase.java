package dev.holdfast.launch.rendezvous;

/** What a leader is at. */
enum Phase {
  GATHERING,
  OPENING,
  PREPARING,
  RUNNING,
  COLLECTING,
  STOPPING,
  CLOSING,
  ENDING,
  ENDED;

  /** Whether ranks are meant to run. */
  boolean runs() {
    return this == RUNNING || this == COLLECTING;
  }
}
