package dev.holdfast.control.access;

/**
 * Somebody who asks.
 *
 * @param name as it stands in records of decisions
 * @param source the one source an agent may speak for; {@code *} any, empty none
 */
public record Caller(String name, Role role, String source) {
  /** Without a token, on the machine of the control plane. */
  public static final Caller HERE = new Caller("somebody here", Role.VIEWER, "");

  /** Without a token, from elsewhere. */
  public static final Caller NOBODY = new Caller("nobody", Role.ANYONE, "");

  public boolean speaksFor(String other) {
    return role == Role.ADMIN || source.equals("*") || source.equals(other);
  }
}
