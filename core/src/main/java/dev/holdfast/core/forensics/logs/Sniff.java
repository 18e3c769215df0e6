package dev.holdfast.core.forensics.logs;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What kind of file is it, told by its first kilobytes? */
enum Sniff {
  OUTPUT,
  /** Lines begin with the number of a task: {@code srun -l}. */
  NUMBERED,
  /** Lines begin with the name of a host or a container: {@code pdsh}, {@code docker compose}. */
  HOSTED,
  KERNEL,
  RAS,
  INSPECTOR;

  static final int BYTES = 16 * 1024;

  private static final int LINES = 50;

  private static final Pattern NUMBER = Pattern.compile(" {0,6}\\d{1,6}: ?.*");

  /** A host has a number, which levels and words of programs have not. */
  private static final Pattern HOST =
      Pattern.compile("((?=[^:|]*\\d)(?=[^:|]*[A-Za-z.])[A-Za-z0-9][\\w.-]{1,80})(?:: | +\\| ).*");

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
    boolean ranks = text.contains("ProcessGroup") || text.contains("Traceback");
    if (text.contains("Communicators...") && text.contains("in group") && !ranks) {
      return RAS;
    }
    if (named == LogSource.Kind.KERNEL) {
      return KERNEL;
    }
    int lines = 0;
    int numbered = 0;
    int kernel = 0;
    int hosted = 0;
    Set<String> hosts = new HashSet<>();
    for (String line : text.lines().limit(LINES).toList()) {
      if (!line.isBlank() && line.length() < 2000) {
        lines++;
        char first = line.charAt(0);
        boolean digits = first == ' ' || (first >= '0' && first <= '9');
        numbered += digits && NUMBER.matcher(line).matches() ? 1 : 0;
        Matcher host = HOST.matcher(line);
        if (host.matches()) {
          hosted++;
          hosts.add(host.group(1));
        }
        boolean dressed = first == '[' || first == '<' || line.contains("] ");
        boolean told = dressed || line.contains("kernel") || line.contains("NVRM: ");
        kernel += told && KernelLines.is(line) ? 1 : 0;
      }
    }
    if (lines >= 1 && kernel * 10 >= lines * 9) {
      return KERNEL;
    }
    if (lines >= 2 && numbered * 10 >= lines * 8) {
      return NUMBERED;
    }
    boolean few = hosts.size() * 2 <= hosted;
    return lines >= 2 && few && hosted * 10 >= lines * 8 ? HOSTED : OUTPUT;
  }
}
