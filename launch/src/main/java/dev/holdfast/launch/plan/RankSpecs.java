package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.OutputPlan;
import dev.holdfast.launch.supervise.RankSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ranks that this node starts for an assignment, ready for the supervisor. */
public final class RankSpecs {
  private RankSpecs() {}

  /**
   * None when this node takes no part.
   *
   * @param inherited the environment of the supervisor, which the ranks get too
   * @param shim the folder put first on PYTHONPATH
   */
  public static List<RankSpec> of(
      JobSpec spec, Assignment assignment, Map<String, String> inherited, Path shim) {
    var nodeRank = assignment.nodeRank(spec.here().node());
    if (nodeRank.isEmpty()) {
      return List.of();
    }
    RankEnvironment environment = new RankEnvironment(spec, inherited, shim);
    int first = assignment.firstRank(nodeRank.getAsInt());
    int processes = assignment.members().get(nodeRank.getAsInt()).processes();
    OutputPlan output = spec.output();
    List<RankSpec> ranks = new ArrayList<>();
    for (int local = 0; local < processes; local++) {
      ranks.add(
          new RankSpec(
              first + local,
              local,
              spec.program().command(),
              environment.of(assignment, local),
              LogFolders.ofRank(spec, assignment.attempt(), local),
              output.keep().of(local),
              output.shown(local),
              prefix(spec, first + local, local),
              spec.here().binding().place(local).cpus()));
    }
    return ranks;
  }

  private static String prefix(JobSpec spec, int rank, int localRank) {
    return spec.output()
        .prefix()
        .replace("${role_name}", spec.program().role())
        .replace("${local_rank}", Integer.toString(localRank))
        .replace("${rank}", Integer.toString(rank));
  }
}
