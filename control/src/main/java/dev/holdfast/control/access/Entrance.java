package dev.holdfast.control.access;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * How the control plane lets people and agents in.
 *
 * @param audit remembers who acted
 * @param strict whether looking from this machine needs a token, too
 * @param identity what it proves with that it is the right one; none: plain HTTP
 * @param names under which it may be asked for, beside those of this machine's loopback
 */
public record Entrance(
    Tokens tokens,
    Audit audit,
    boolean strict,
    Optional<ServerIdentity> identity,
    Set<String> names) {
  public Entrance {
    names = Set.copyOf(names);
  }

  public Entrance(Tokens tokens, boolean strict) {
    this(tokens, Audit.inMemory(), strict, Optional.empty(), Set.of());
  }

  /** Tokens that end with the process; whoever is on this machine may look. */
  public static Entrance inMemory() {
    return new Entrance(Tokens.inMemory(InstantSource.system()), false);
  }

  public String scheme() {
    return identity.isPresent() ? "https" : "http";
  }
}
