package dev.holdfast.bench.flight;

import java.util.Locale;

/** What goes wrong. */
enum Fault {
  /** The program stops calling. */
  HANG,
  /** Two programs do. */
  HANG_TWICE,
  /** The device does not begin what it was given. */
  DEVICE,
  /** The process ends and leaves no dump. */
  CRASH,
  /** Another collective is called. */
  OTHER_CALL,
  /** The same collective is called with another size or type. */
  OTHER_SIZE,
  /** A call is left out. */
  SKIPPED_CALL,
  /** One call too many. */
  EXTRA_CALL,
  /** All begin, nothing arrives. */
  NETWORK,
  /** One rank works slowly; nothing hangs. */
  SLOW,
  /** Nothing. */
  NONE;

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
