package dev.holdfast.control.access;

/**
 * What somebody may do. A viewer looks, an operator also acts, an admin also lets others in and, as
 * he could make himself any token, may do what an agent may.
 */
public enum Role {
  /** No token is asked for. */
  ANYONE,
  VIEWER,
  OPERATOR,
  ADMIN,
  /** Reports for one source and does what is asked of it; nothing else. */
  AGENT;

  /** Whether somebody of this role may use what needs another. */
  public boolean may(Role needed) {
    if (needed == ANYONE) {
      return true;
    }
    if (this == AGENT || needed == AGENT) {
      return this == needed || this == ADMIN;
    }
    return compareTo(needed) >= 0;
  }
}
