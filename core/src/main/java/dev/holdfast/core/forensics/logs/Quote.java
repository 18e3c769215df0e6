package dev.holdfast.core.forensics.logs;

import java.util.regex.Matcher;
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
              + "|(?:self|logger|logging|log|torch|os|sys|std|warnings)(?:\\.\\w{1,80}){1,8}\\(.*"
              + "|[A-Za-z_][\\w.]{0,80} += +[\\[('\"{f].*"
              + "|\\w*printf *\\(.*|echo .*|['\"](?:(?!\": ?).)*['\"][,\\])]+$"
              + "|#|//|/\\*|\\*/|\\W{0,8}(?:nccl|CUDA_|cuda|hip)\\w{1,80}(?: *= *\\d{1,5})?\\W{0,8}$)"
              + ".{0,400}");

  /** Advice on what somebody may meet. */
  private static final Pattern ADVICE =
      Pattern.compile(
          "\\b(?:[Ii]f you|[Ii]n case of|[Tt]o avoid|[Ww]hen you|[Ii]f there is|[Ii]n order to)\\b");

  /** Who writes it does not take it for an error; what NCCL warns of is one. */
  private static final Pattern LEVEL =
      Pattern.compile(
          "(?:^|[\\s\\[|(:])(?:WARNING|WARN|INFO|DEBUG|warning|info|[A-Z][a-z]*Warning|W|I)[\\s\\]|:]|^\\[?[WI]\\d{4}[ \\d]");

  /** The program says itself that it goes on. */
  private static final Pattern HANDLED =
      Pattern.compile(
          "^caught |\\b(?:skipping|skipped|retrying|ignoring|ignored|will (?:re)?try|trying again|not a failure)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern NCCL = Pattern.compile("NCCL WARN|\\.(?:cc|h|cu|c):\\d+ WARN");
  private static final int HEAD = 120;
  private static final int SPAN = 300;

  private Quote() {}

  /** Whether a program speaks of what it has dealt with. */
  static boolean handled(String line) {
    return HANDLED.matcher(line.length() > SPAN ? line.substring(0, SPAN) : line).find();
  }

  /** Whether the words are no more than a warning or a notice of a program that goes on. */
  static boolean mutters(String line) {
    String head = line.substring(Math.max(0, line.length() - HEAD));
    return LEVEL.matcher(head).find() && !NCCL.matcher(head).find();
  }

  /**
   * Whether the words are advice.
   *
   * @param at where the words begin that would be an error
   */
  static boolean advises(String line, int at) {
    if (line.lastIndexOf('`', at) >= 0
        && line.indexOf('`', at) > 0
        && line.stripLeading().startsWith("* ")) {
      return true; // an item of a document
    }
    Matcher advice = ADVICE.matcher(line);
    return advice.find() && advice.end() <= at && at - advice.end() < 80;
  }

  static boolean is(String line) {
    int end = Math.min(line.length(), 400);
    return CODE.matcher(line.substring(0, end)).matches();
  }
}
