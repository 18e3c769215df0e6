package dev.holdfast.core.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Blanks what opens a door: values that follow a name which sounds secret, user and password in an
 * address, keys and tokens of well-known form, and every value of a process's environment.
 */
public final class Secrets {
  public static final String BLANK = "(blanked)";

  private static final String NAME =
      "(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
          + "|credential)";
  private static final Pattern NAMED =
      Pattern.compile("(?i)(" + NAME + "[\\w.-]{0,40}[\"']?[ \\t]*[=:][ \\t]*[\"']?)[^\\s\"',;&]+");
  private static final Pattern OPTION =
      Pattern.compile("(?i)(--?[\\w-]{0,40}" + NAME + "[\\w-]{0,40}[ \\t\\n])[^\\s-][^\\s]*");

  /** The same as two texts of a list, as JSON has them. */
  private static final Pattern LISTED =
      Pattern.compile(
          "(?i)(--?[\\w-]{0,40}" + NAME + "[\\w-]{0,40}[\"'],[ \\t\\n]{0,20}[\"'])[^\"']+");

  private static final Pattern ADDRESS =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{1,20}://)[^/\\s@\"']{1,200}@");
  private static final Pattern BEARER =
      Pattern.compile("(?i)(\\b(?:bearer|basic)[ \\t]+)[A-Za-z0-9._~+/-]{8,}=*");
  private static final Pattern KNOWN_FORM =
      Pattern.compile(
          "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)"
              + "|\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"
              + "|\\bgh[pousr]_[A-Za-z0-9]{20,}"
              + "|\\bhf_[\\w-]{20,}"
              + "|\\bnvapi-[\\w-]{20,}"
              + "|\\bsk-[A-Za-z0-9_-]{20,}"
              + "|\\bxox[abprs]-[A-Za-z0-9-]{10,}"
              + "|\\beyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]*");
  private static final Pattern VARIABLE = Pattern.compile("(?m)^([A-Za-z_]\\w*=).*$");

  private Secrets() {}

  /** The environment of a process: names stay, no value does. */
  public static String blankVariables(String text) {
    return VARIABLE.matcher(text.replace('\0', '\n')).replaceAll("$1" + quoted());
  }

  public static String blank(String text) {
    String blanked = replace(ADDRESS, text, "$1" + quoted() + "@");
    blanked = replace(BEARER, blanked, "$1" + quoted());
    blanked = replace(NAMED, blanked, "$1" + quoted());
    blanked = replace(OPTION, blanked, "$1" + quoted());
    blanked = replace(LISTED, blanked, "$1" + quoted());
    return replace(KNOWN_FORM, blanked, quoted());
  }

  private static String replace(Pattern pattern, String text, String replacement) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.replaceAll(replacement) : text;
  }

  private static String quoted() {
    return Matcher.quoteReplacement(BLANK);
  }
}
