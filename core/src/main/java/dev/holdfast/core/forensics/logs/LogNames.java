package dev.holdfast.core.forensics.logs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does the name of a file tell: rank, place on the node, node, whether it is a kernel log?
 * Known are {@code rank12.log}, {@code train_12.err}, {@code 12.out}, torchrun's and our own {@code
 * NAME_NODE/attempt_0/3/stderr.log}, {@code dmesg-n17.txt}, {@code n17/journal.log}.
 *
 * @param numbered the rank is just a number at the end, which may be something else where there is
 *     only one such file
 * @param attempt of torchrun's layout, −1: none
 */
public record LogNames(
    LogSource.Kind kind, int rank, boolean numbered, int local, String node, int attempt) {
  private static final Pattern ATTEMPT =
      Pattern.compile("(?:(.*)/)?attempt_(\\d{1,6})/(\\d{1,6})/(?:stdout|stderr)(?:\\.log)?");
  private static final Pattern RANK =
      Pattern.compile("(?i)(?:.*[^a-z])?rank[-_. ]?(\\d{1,6})(?!\\d).*");
  private static final Pattern NUMBER =
      Pattern.compile("(?:.*[-_.])?(\\d{1,6})\\.(?:err|out|log|txt|stderr|stdout)");
  private static final Pattern JOB = Pattern.compile("slurm-\\d+\\.out");

  /** {@code dmesg-n17.txt}, not {@code dmesg-T.txt} or {@code journal.json}. */
  private static final Pattern NODE = Pattern.compile("(?i)(?!xid\\d)[a-z][\\w.-]*\\d[\\w.-]*");

  private static final Pattern KERNEL =
      Pattern.compile("(?i)(?:.*[^a-z])?(?:dmesg|kmsg|kern|kernel|journal)(?:[^a-z].*)?");

  public static LogNames of(String path) {
    int slash = path.lastIndexOf('/');
    String name = path.substring(slash + 1);
    String folder = slash < 0 ? "" : path.substring(path.lastIndexOf('/', slash - 1) + 1, slash);
    if (KERNEL.matcher(name).matches()) {
      return new LogNames(LogSource.Kind.KERNEL, -1, false, -1, kernelNode(name, folder), -1);
    }
    Matcher attempt = ATTEMPT.matcher(path);
    if (attempt.matches()) {
      String run = attempt.group(1) == null ? "" : attempt.group(1);
      String last = run.substring(run.lastIndexOf('/') + 1);
      int underscore = last.lastIndexOf('_');
      return new LogNames(
          LogSource.Kind.OUTPUT,
          -1,
          false,
          Integer.parseInt(attempt.group(3)),
          underscore < 0 ? "" : last.substring(underscore + 1),
          Integer.parseInt(attempt.group(2)));
    }
    Matcher rank = RANK.matcher(name);
    if (rank.matches()) {
      return output(Integer.parseInt(rank.group(1)), false);
    }
    Matcher number = NUMBER.matcher(name);
    boolean numbered = number.matches() && !JOB.matcher(name).matches();
    return output(numbered ? Integer.parseInt(number.group(1)) : -1, numbered);
  }

  private static LogNames output(int rank, boolean numbered) {
    return new LogNames(LogSource.Kind.OUTPUT, rank, numbered, -1, "", -1);
  }

  /** What is left of the name without the words for kernel logs, else the folder. */
  private static String kernelNode(String name, String folder) {
    String rest = name.replaceAll("(?i)(?:\\.(?:txt|log|out|gz|jsonl?))+$", "");
    rest =
        rest.replaceAll("(?i)(?<![a-z])(dmesg|kmsg|kernel|kern|journalctl|journal)(?![a-z])", "");
    rest = rest.replaceAll("^[-_. ]+|[-_. ]+$", "");
    return NODE.matcher(rest).matches() ? rest : folder;
  }
}
