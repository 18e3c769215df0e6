package dev.holdfast.launch.watch;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Patterns of file names as {@code fnmatch(3)} without flags reads them: {@code *} crosses /. */
final class Glob {
  private Glob() {}

  static Predicate<String> of(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char at = pattern.charAt(i);
      int close = at == '[' ? pattern.indexOf(']', i + 2) : -1;
      if (at == '*') {
        regex.append(".*");
      } else if (at == '?') {
        regex.append('.');
      } else if (close > 0) {
        String inside = pattern.substring(i + 1, close).replace("\\", "\\\\").replace("[", "\\[");
        boolean not = inside.startsWith("!") || inside.startsWith("^");
        regex.append(not ? "[^" : "[").append(not ? inside.substring(1) : inside).append(']');
        i = close;
      } else if (at == '\\' && i + 1 < pattern.length()) {
        regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
      } else {
        regex.append(Pattern.quote(String.valueOf(at)));
      }
    }
    try {
      return Pattern.compile(regex.toString(), Pattern.DOTALL).asMatchPredicate();
    } catch (PatternSyntaxException noRange) {
      return pattern::equals;
    }
  }
}
