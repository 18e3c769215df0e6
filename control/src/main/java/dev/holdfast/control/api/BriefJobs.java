package dev.holdfast.control.api;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMembers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in events: a line, not thousands of members with every step. Which nodes a job uses is told
 * only when that changed. One thread uses it.
 */
final class BriefJobs {
  private final Map<String, JobMembers> known = new HashMap<>();

  Map<String, @Nullable Object> of(JobEntry.Told told) {
    JobDescription job = told.job();
    Map<String, @Nullable Object> line = new LinkedHashMap<>(job.json());
    JobMembers before = known.put(job.job(), job.members());
    if (job.members().equals(before)) {
      line.remove("members");
    }
    line.remove("losses");
    line.put("nodes", job.members().size());
    line.put("processes", job.members().processes());
    if (job.state().over()) {
      known.remove(job.job());
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(told.tree());
    tree.put("job", line);
    return tree;
  }
}
