package dev.holdfast.store.attempts;

import java.io.IOException;
import java.util.Locale;

/** A store that understood a request and will not do it; the reason is one word, for programs. */
public final class StoreRefused extends IOException {
  private static final long serialVersionUID = 1;

  /** Why. */
  public enum Reason {
    /** The request itself is wrong. */
    REQUEST,
    /** The term is not the newest of the job: somebody else leads it now. */
    STALE_TERM,
    /** The attempt is not newer than those there have been. */
    OLD_ATTEMPT,
    /** No such attempt is open. */
    NOT_OPEN,
    /** No port of the range is free, or too many attempts are open. */
    NO_ROOM,
    /** The store serves one port and opens no others. */
    NOT_MANAGED,
    /** What must be written down before it is done could not be. */
    STATE;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Reason of(String word) {
      for (Reason reason : values()) {
        if (reason.word().equals(word)) {
          return reason;
        }
      }
      return REQUEST;
    }
  }

  private final Reason reason;

  public StoreRefused(Reason reason, String why) {
    super(why);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
