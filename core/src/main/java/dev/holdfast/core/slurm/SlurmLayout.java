package dev.holdfast.core.slurm;

import dev.holdfast.core.cluster.JobMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which ranks are where: those of the job's largest step, which is the one that trains; without a
 * step, the tasks the job asked for. Slurm lists no task for itself, so they are taken to be spread
 * evenly over the nodes, the first ones holding one more, as its block distribution does.
 */
public final class SlurmLayout {
  private SlurmLayout() {}

  public static List<JobMember> members(SlurmJob job, Collection<SlurmStep> steps) {
    SlurmStep largest =
        steps.stream()
            .filter(it -> it.started() && !it.nodes().isEmpty())
            .max(Comparator.comparingInt(SlurmStep::tasks))
            .orElse(new SlurmStep("", "", job.tasks(), job.nodes()));
    List<JobMember> members = new ArrayList<>(spread(largest.tasks(), largest.nodes()));
    // The job holds its other nodes, too, though none of these ranks is there.
    for (String node : job.nodes()) {
      if (!largest.nodes().contains(node)) {
        members.add(new JobMember(node, Math.max(0, largest.tasks()), 0));
      }
    }
    return members;
  }

  private static List<JobMember> spread(int tasks, List<String> nodes) {
    List<JobMember> members = new ArrayList<>();
    int all = Math.max(tasks, nodes.size());
    int first = 0;
    for (int i = 0; i < nodes.size(); i++) {
      int here = all / nodes.size() + (i < all % nodes.size() ? 1 : 0);
      members.add(new JobMember(nodes.get(i), first, here));
      first += here;
    }
    return members;
  }
}
