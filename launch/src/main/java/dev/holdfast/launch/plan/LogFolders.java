package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.JobSpec;

/**
 * Where the files of a rank are: {@code <log-dir>/<run id>_<node>/attempt_<n>/<local rank>}, which
 * is torchrun's layout with the node's name in place of random letters, so that nodes that share a
 * file system do not meet and a person finds the folder.
 */
public final class LogFolders {
  private LogFolders() {}

  /** The folder of everything this node writes of the job. */
  public static String ofNode(JobSpec spec) {
    return spec.output().folder() + "/" + plain(spec.runId()) + "_" + plain(spec.here().node());
  }

  public static String ofAttempt(JobSpec spec, int attempt) {
    return ofNode(spec) + "/attempt_" + attempt;
  }

  public static String ofRank(JobSpec spec, int attempt, int localRank) {
    return ofAttempt(spec, attempt) + "/" + localRank;
  }

  /** A name that stays one part of a path whatever somebody called the run. */
  private static String plain(String name) {
    String safe = name.replaceAll("[^A-Za-z0-9._+=@-]", "_");
    return safe.startsWith(".") ? "_" + safe : safe;
  }
}
