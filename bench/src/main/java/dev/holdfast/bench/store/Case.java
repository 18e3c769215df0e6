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
  static final String CANCEL_OWN = "cancelOwn";
  static final String DISCONNECT = "disconnect";
  static final String DISCONNECT_OWN = "disconnectOwn";

  /** Of a server just started, whose code has never run. */
  static final String FRESH = "fresh";

  /** Of a server just started: what clients cost it that do nothing. */
  static final String MEMORY = "memory";

  /** With a name server that takes 20 ms to say that it knows no name. */
  static final String SLOW_NAMES = "slowNames";

  /** Whether it is one of those in which all stop waiting at once. */
  boolean storm() {
    return switch (measure) {
      case CANCEL, CANCEL_OWN, DISCONNECT, DISCONNECT_OWN -> true;
      default -> false;
    };
  }

  String label() {
    return switch (measure) {
      case LOAD -> operation;
      case ACCEPT -> "all connected";
      case FAN_OUT -> "one SET wakes all";
      case CANCEL -> "all cancel, one key";
      case CANCEL_OWN -> "all cancel, a key each";
      case DISCONNECT -> "all go, one key";
      case DISCONNECT_OWN -> "all go, a key each";
      case FRESH -> "just started, all connected";
      case MEMORY -> "memory of an idle client";
      default -> "name server takes 20 ms";
    };
  }
}
