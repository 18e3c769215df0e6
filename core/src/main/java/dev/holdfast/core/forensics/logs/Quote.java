package dev.holdfast.core.forensics.logs;

import java.util.regex.Pattern;

/**
 * Is a line source code, or does it speak of an error that somebody might see? Programs print both,
 * and neither is an error: {@code if "CUDA out of memory" not in str(e):}.
 */
final class Quote {
  private static final Pattern CODE =
      Pattern.compile(
          "\\s*(?:[>+|-]{1,3}\\s*)?(?:\\d{1,6}[:|]?\\s+)?"
              + "(?:(?:if|elif|while|assert|return|raise|except|with|for|def|class|print|throw|case|else if|try)\\b[ (].*[):;{,\"']"
              + "|(?:self|logger|logging|log|torch|os|sys|std|warnings)\\.\\w.*\\(.*"
              + "|#|//|/\\*|\\*/)"
              + ".{0,400}");

  private Quote() {}

  static boolean is(String line) {
    int end = Math.min(line.length(), 400);
    return CODE.matcher(line.substring(0, end)).matches();
  }
}
