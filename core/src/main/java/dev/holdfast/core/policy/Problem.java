package dev.holdfast.core.policy;

import java.util.Locale;

/**
 * Something wrong with a policy.
 *
 * @param rule the rule it is about, empty: the policy as a whole
 * @param kind what of, one word: {@code coverage}, {@code exit}, {@code unreached}, {@code loop},
 *     {@code budget}, {@code proof}, {@code unknown}
 */
public record Problem(Level level, String kind, String rule, String what) {
  /** Whether the policy is unsound or only odd. */
  public enum Level {
    ERROR,
    WARNING;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Problem error(String kind, String rule, String what) {
    return new Problem(Level.ERROR, kind, rule, what);
  }

  static Problem warning(String kind, String rule, String what) {
    return new Problem(Level.WARNING, kind, rule, what);
  }

  @Override
  public String toString() {
    return level.word() + " " + kind + ": " + (rule.isEmpty() ? "" : rule + ": ") + what;
  }
}
