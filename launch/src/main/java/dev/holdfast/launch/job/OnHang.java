package dev.holdfast.launch.job;

import java.util.Locale;

/** What is done when ranks hang; each includes what comes before it. */
public enum OnHang {
  /** Say it and write it down. */
  NOTIFY,
  /** Collect stacks and flight recorders. */
  DUMP,
  /** End the attempt and begin the next one. */
  RESTART;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static OnHang of(String word) {
    for (OnHang choice : values()) {
      if (choice.word().equals(word)) {
        return choice;
      }
    }
    throw new IllegalArgumentException("'" + word + "' is none of notify, dump, restart");
  }
}
