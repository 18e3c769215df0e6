package dev.holdfast.core.forensics.flight;

import java.util.Locale;

/** What kind of thing stopped or slowed the ranks, as far as collectives tell. */
public enum Cause {
  /** A rank never came to a collective, and waits in none. */
  HANG("its stack (holdfast stacks), its last lines, what it reads"),
  /** A rank gave the collective to its device, and the device never began it. */
  DEVICE_HANG("the kernel log of its node for Xid (holdfast doctor), the kernel it runs"),
  /** A rank ended without leaving a dump. */
  CRASH("its exit code and last lines, the kernel log of its node (holdfast doctor)"),
  /** Ranks called different things. */
  MISMATCH("the code path that differs on this rank"),
  /** All came and began, and nothing moves. */
  NETWORK("ports, cables and counters between these ranks (holdfast bench net, holdfast doctor)"),
  /** A rank comes last again and again. */
  SLOWDOWN("clocks, temperature, CPU binding and data loading of this rank (holdfast doctor)"),
  UNKNOWN("what is named as missing");

  private final String next;

  Cause(String next) {
    this.next = next;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Where to look then. */
  public String next() {
    return next;
  }
}
