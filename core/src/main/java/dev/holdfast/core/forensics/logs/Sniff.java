package dev.holdfast.core.forensics.logs;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What kind of file is it, told by its first kilobytes? */
enum Sniff {
  OUTPUT,
  /** Lines begin with the number of a task: {@code srun -l}. */
  NUMBERED,
  KERNEL,
  RAS,
  INSPECTOR;

  static final int BYTES = 16 * 1024;

  private static final int LINES = 50;

  private static final Pattern NUMBER = Pattern.compile(" {0,6}\\d{1,6}: ?.*");
  private static final Pattern KERNEL_LINE =
      Pattern.compile(
          "(?:<\\d{1,3}>|[a-z]{4,8} *:[a-z]{3,7} *: )?\\[ {0,12}\\d{1,12}\\.\\d{6}\\] .*"
              + "|.{0,80} kernel: .*"
              + "|\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d [\\d:]{8} \\d{4}\\] .*");

  static Sniff of(byte[] begin, int length, LogSource.Kind named) {
    String text = new String(begin, 0, Math.min(length, BYTES), StandardCharsets.UTF_8);
    if (text.stripLeading().startsWith("{")) {
      if (text.contains("\"coll_perf\"") || text.contains("inspector_output_format")) {
        return INSPECTOR;
      }
    }
    if (text.contains("\"communicators_count\"")) {
      return RAS;
    }
    if (text.contains("Communicators...") && text.contains("in group")) {
      return RAS;
    }
    if (named == LogSource.Kind.KERNEL) {
      return KERNEL;
    }
    int lines = 0;
    int numbered = 0;
    int kernel = 0;
    for (String line : text.lines().limit(LINES).toList()) {
      if (!line.isBlank() && line.length() < 2000) {
        lines++;
        char first = line.charAt(0);
        boolean digits = first == ' ' || (first >= '0' && first <= '9');
        numbered += digits && NUMBER.matcher(line).matches() ? 1 : 0;
        boolean dressed = first == '[' || first == '<' || line.contains("] ");
        boolean told = dressed || line.contains(" kernel: ");
        kernel += told && KERNEL_LINE.matcher(line).matches() ? 1 : 0;
      }
    }
    if (lines >= 3 && kernel * 10 >= lines * 9) {
      return KERNEL;
    }
    return lines >= 2 && numbered * 10 >= lines * 8 ? NUMBERED : OUTPUT;
  }
}
