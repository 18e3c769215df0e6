package dev.holdfast.launch.watch;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A timeout of io-watchdog: a number as C's {@code strtod} reads it, and at most one of s m h d.
 */
final class WatchdogTimeout {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(?<sign>[+-]?)(?:(?<hex>0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+))"
              + "(?<power>[pP][+-]?[0-9]{1,4})?"
              + "|(?<decimal>(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)"
              + "|(?<word>inf(?:inity)?|nan))(?<unit>[smhd]?)",
          Pattern.CASE_INSENSITIVE);

  private WatchdogTimeout() {}

  /**
   * The seconds.
   *
   * @param where file and line, or the variable, for messages
   */
  static double parse(String where, String text, boolean compat) {
    if (text.isEmpty() && compat) {
      return 0;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches() || form.group("sign").equals("-")) {
      throw wrong(where, text);
    }
    String unit = form.group("unit");
    double number = number(form);
    if (Double.isNaN(number) || !unit.equals(unit.toLowerCase(Locale.ROOT))) {
      throw wrong(where, text);
    }
    return number
        * switch (unit) {
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 1;
        };
  }

  private static double number(Matcher form) {
    if (form.group("word") != null) {
      return form.group("word").toLowerCase(Locale.ROOT).startsWith("inf")
          ? Double.POSITIVE_INFINITY
          : Double.NaN;
    }
    if (form.group("hex") != null) {
      String power = form.group("power") == null ? "p0" : form.group("power");
      return Double.parseDouble(form.group("hex") + power);
    }
    return Double.parseDouble(form.group("decimal"));
  }

  private static HoldfastException wrong(String where, String text) {
    return new HoldfastException(
        ErrorCode.BAD_CONFIGURATION,
        where + ": '" + text + "' is no timeout; write a number from 0 on and s, m, h or d: 20m");
  }
}
