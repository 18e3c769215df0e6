package dev.holdfast.control.access;

/**
 * Somebody who asks.
 *
 * @param name as it stands in records of decisions
 * @param source the one source an agent may speak for; {@code *} any, empty none
 */
public record Caller(String name, Role role, String source) {
  public boolean speaksFor(String other) {
    return source.equals("*") || source.equals(other);
  }
}
