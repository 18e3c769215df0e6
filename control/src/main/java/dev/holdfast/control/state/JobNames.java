package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobDescription;
import java.util.Optional;

/**
 * Under which name is a job known? Under its own, unless a job of somebody else has that: then with
 * its user behind it, {@code train@ann}, so that nobody takes a name from anybody.
 */
public final class JobNames {
  private static final char AT = '@';

  private JobNames() {}

  public static String apart(String job, String user) {
    return job.endsWith(AT + user) ? job : job + AT + user;
  }

  /** The name before the last user's, if there is one. */
  static Optional<String> plain(String job) {
    int at = job.lastIndexOf(AT);
    return at > 0 ? Optional.of(job.substring(0, at)) : Optional.empty();
  }

  /** The name of a job as it is told, next to a job that has the name already. */
  public static String beside(Optional<JobView> known, String job, String user) {
    return known
            .map(JobView::job)
            .map(JobDescription::user)
            .filter(it -> !it.isEmpty() && !user.isEmpty() && !it.equals(user))
            .isPresent()
        ? apart(job, user)
        : job;
  }
}
