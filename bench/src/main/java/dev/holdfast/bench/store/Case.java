package dev.holdfast.bench.store;

/**
 * One thing that is measured of every contender.
 *
 * @param operation for a load; empty for anything else
 */
record Case(String measure, String operation, int connections) {
  static final String LOAD = "load";
  static final String ACCEPT = "accept";
  static final String FAN_OUT = "fanOut";
  static final String CANCEL = "cancel";
  static final String DISCONNECT = "disconnect";

  /** Of a server just started: memory, and how long the first clients take to arrive. */
  static final String MEMORY = "memory";

  /** With a name server that never answers. */
  static final String STALLED = "stalledResolver";

  String label() {
    return switch (measure) {
      case LOAD -> operation;
      case ACCEPT -> "all connected";
      case FAN_OUT -> "one SET wakes all";
      case CANCEL -> "all cancel a wait";
      case DISCONNECT -> "all waiting go";
      case MEMORY -> "just started, all connected";
      default -> "silent name server, connected";
    };
  }
}
