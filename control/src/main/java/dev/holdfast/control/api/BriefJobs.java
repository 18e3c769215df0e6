package dev.holdfast.control.api;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in events: a line, not thousands of members with every step. Which nodes a job uses is told
 * only when that changed. One thread uses it.
 */
final class BriefJobs {
  private final Map<String, List<JobMember>> known = new HashMap<>();

  Map<String, @Nullable Object> of(JobEntry.Told told) {
    JobDescription job = told.job();
    Map<String, @Nullable Object> line = new LinkedHashMap<>(job.json());
    List<JobMember> before = known.put(job.job(), job.members());
    if (job.members().equals(before)) {
      line.remove("members");
    } else {
      line.put("members", StateJson.members(job));
    }
    line.remove("losses");
    line.put("nodes", job.members().size());
    line.put("processes", job.members().stream().mapToLong(JobMember::processes).sum());
    if (job.state().over()) {
      known.remove(job.job());
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(told.tree());
    tree.put("job", line);
    return tree;
  }
}
