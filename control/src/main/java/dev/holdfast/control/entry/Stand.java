package dev.holdfast.control.entry;

import dev.holdfast.core.text.Words;
import java.util.Locale;

/** Where a decision stands. */
public enum Stand {
  /** The rule is not enforced: a person may follow it. */
  RECOMMENDED,
  /** A person must agree first. */
  ASKING,
  /** It would act, but something holds it back: pause, guard, maintenance, cool-down, proof. */
  HELD,
  ACTING,
  DONE,
  FAILED,
  /** A person said no. */
  REJECTED,
  /** No longer needed: the fault cleared or has another cause. */
  WITHDRAWN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Stand of(String word) {
    return Words.read("the stand", word, Stand.class);
  }

  public boolean over() {
    return this == DONE || this == FAILED || this == REJECTED || this == WITHDRAWN;
  }
}
