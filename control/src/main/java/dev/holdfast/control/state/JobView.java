package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Instant;

/** A job as its launcher last told it. */
public record JobView(JobDescription job, String source, Instant told, JobHistory history) {
  public String id() {
    return job.job();
  }
}
