package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Slurm job. Its variables mean different things in a step that srun started (one launcher a
 * node: what we want), in a batch script (the first node only) and in a shell of salloc; only
 * SLURM_STEP_ID tells them apart. scontrol is not asked: images seldom have it.
 */
final class Slurm {
  /** Steps of Slurm's own (batch, interactive, extern) have numbers from here on. */
  private static final long FIRST_SPECIAL_STEP = 4_294_967_280L;

  private static final Pattern TASKS = Pattern.compile("([0-9]{1,6})(?:\\(x([0-9]{1,6})\\))?");

  private final Surroundings around;
  private final Sighting seen = new Sighting("slurm");

  private Slurm(Surroundings around) {
    this.around = around;
  }

  static Optional<Sighting> look(Surroundings around) {
    return around.text("SLURM_JOB_ID", "SLURM_JOBID").map(job -> new Slurm(around).look(job));
  }

  private Sighting look(String job) {
    Optional<String> step =
        around
            .text("SLURM_STEP_ID", "SLURM_STEPID")
            .filter(text -> text.matches("[0-9]{1,10}"))
            .filter(text -> Long.parseLong(text) < FIRST_SPECIAL_STEP);
    boolean later = step.isPresent() && !step.get().equals("0");
    seen.job = Optional.of("slurm-" + job + (later ? "." + step.orElse("") : ""));
    seen.run =
        around
            .text("SLURM_RESTART_COUNT")
            .filter(count -> !count.equals("0"))
            .map(count -> "requeue" + count)
            .orElse("");
    seen.node = around.text("SLURMD_NODENAME");
    seen.processes = around.claim("SLURM_GPUS_ON_NODE").filter(gpus -> gpus.value() > 0);
    if (step.isPresent()) {
      step();
    } else {
      outsideOfSteps();
    }
    return seen;
  }

  private void step() {
    seen.rank = around.claim("SLURM_NODEID");
    seen.count = around.claim("SLURM_STEP_NUM_NODES", "SLURM_NNODES", "SLURM_JOB_NUM_NODES");
    String list = around.has("SLURM_STEP_NODELIST") ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST";
    around.text(list).ifPresent(text -> seen.nodes(Hostlist.expand(text), list));
    String tasks =
        around.has("SLURM_STEP_TASKS_PER_NODE")
            ? "SLURM_STEP_TASKS_PER_NODE"
            : "SLURM_TASKS_PER_NODE";
    int here = tasksHere(around.text(tasks).orElse("1"), seen.rank.map(Claim::value).orElse(0));
    if (here > 1) {
      seen.perRank(
          "srun starts %d tasks on this node (%s=%s)"
              .formatted(here, tasks, around.text(tasks).orElse("")));
    }
  }

  private void outsideOfSteps() {
    Optional<Claim> count = around.claim("SLURM_NNODES", "SLURM_JOB_NUM_NODES");
    if (count.isPresent() && count.get().value() > 1) {
      seen.troubles.add(
          new Trouble(
              Trait.COUNT,
              ErrorCode.LAUNCHED_PER_RANK,
              "%s, but this launcher was not started by srun and runs on one node only"
                  .formatted(count.get())));
    } else {
      seen.count = count;
    }
  }

  /** {@code 8(x2),4} means 8 on the first two nodes and 4 on the third. */
  private static int tasksHere(String text, int nodeRank) {
    List<Integer> tasks = new ArrayList<>();
    for (String part : text.split(",")) {
      Matcher match = TASKS.matcher(part.strip());
      if (!match.matches()) {
        return 1;
      }
      String times = match.group(2);
      int nodes = times == null ? 1 : Integer.parseInt(times);
      for (int i = 0; i < nodes && tasks.size() <= nodeRank; i++) {
        tasks.add(Integer.parseInt(match.group(1)));
      }
    }
    return nodeRank < tasks.size() ? tasks.get(nodeRank) : 1;
  }
}
