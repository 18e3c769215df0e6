package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import java.time.Instant;

/** A job as its launcher last told it. */
public record JobView(JobDescription job, String source, Instant told, JobHistory history) {
  public String id() {
    return job.job();
  }

  /** How many characters of it are remembered, without its members. */
  public long text() {
    return text(job);
  }

  public static long text(JobDescription job) {
    long losses = 0;
    for (JobLoss loss : job.losses()) {
      losses += loss.phase().length() + loss.cause().length();
    }
    return losses + job.job().length() + job.user().length();
  }
}
