package dev.holdfast.control.access;

import java.time.InstantSource;

/**
 * How the control plane lets people and agents in.
 *
 * @param strict whether looking from this machine needs a token, too
 */
public record Entrance(Tokens tokens, boolean strict) {
  /** Tokens that end with the process; whoever is on this machine may look. */
  public static Entrance inMemory() {
    return new Entrance(Tokens.inMemory(InstantSource.system()), false);
  }
}
