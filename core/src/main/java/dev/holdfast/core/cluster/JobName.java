package dev.holdfast.core.cluster;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Under which name is a job known? Under its own, unless a job of somebody else has that: then with
 * its user behind it, {@code train@ann}, so that nobody takes a name from anybody.
 */
public final class JobName {
  private static final char AT = '@';
  private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._+-]");

  private JobName() {}

  public static String apart(String job, String user) {
    String behind = AT + UNSAFE.matcher(user).replaceAll("_");
    return job.endsWith(behind) ? job : job + behind;
  }

  /** Whether it has the name of another user behind it. */
  public static boolean borrowed(String job, String user) {
    return job.indexOf(AT) >= 0 && !job.equals(apart(job, user));
  }

  /** The name before the last user's, if there is one. */
  public static Optional<String> plain(String job) {
    int at = job.lastIndexOf(AT);
    return at > 0 ? Optional.of(job.substring(0, at)) : Optional.empty();
  }
}
