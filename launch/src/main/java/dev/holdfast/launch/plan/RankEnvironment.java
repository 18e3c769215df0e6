package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which variables does a rank find? Those of torchrun, letter for letter, so that programs written
 * for it need no change; those that make a hang leave evidence behind, unless the user has decided
 * about them; and ours.
 *
 * @param inherited the environment of the launcher, which ranks get too
 * @param shim the folder put first on PYTHONPATH; a folder that does not exist does no harm
 */
public record RankEnvironment(JobSpec spec, Map<String, String> inherited, Path shim) {
  /** What the flight recorder keeps; 0, torch's own default, keeps nothing. */
  private static final String TRACE_ENTRIES = "2000";

  private static final List<String> VISIBILITY =
      List.of("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES");

  public RankEnvironment {
    inherited = Map.copyOf(inherited);
  }

  /** The variables of one rank, in the order in which people want to read them. */
  public Map<String, String> of(Assignment assignment, int localRank) {
    int nodeRank =
        assignment
            .nodeRank(spec.here().node())
            .orElseThrow(() -> new IllegalArgumentException(spec.here().node() + " takes no part"));
    int processes = assignment.members().get(nodeRank).processes();
    int rank = assignment.firstRank(nodeRank) + localRank;
    String folder = LogFolders.ofRank(spec, assignment.attempt(), localRank);
    Map<String, String> variables = new LinkedHashMap<>(spec.program().environment());
    torchrun(variables, assignment, nodeRank, localRank, processes);
    variables.put("TORCHELASTIC_ERROR_FILE", folder + "/error.json");
    place(variables, localRank, processes);
    evidence(variables, folder);
    ours(variables, assignment, rank, localRank, folder);
    return variables;
  }

  private void torchrun(
      Map<String, String> variables,
      Assignment assignment,
      int nodeRank,
      int localRank,
      int processes) {
    String rank = Integer.toString(assignment.firstRank(nodeRank) + localRank);
    String world = Integer.toString(assignment.worldSize());
    variables.put("LOCAL_RANK", Integer.toString(localRank));
    variables.put("RANK", rank);
    variables.put("GROUP_RANK", Integer.toString(nodeRank));
    variables.put("ROLE_RANK", rank);
    variables.put("ROLE_NAME", spec.program().role());
    variables.put("LOCAL_WORLD_SIZE", Integer.toString(processes));
    variables.put("WORLD_SIZE", world);
    variables.put("GROUP_WORLD_SIZE", Integer.toString(assignment.members().size()));
    variables.put("ROLE_WORLD_SIZE", world);
    variables.put("MASTER_ADDR", assignment.storeHost());
    variables.put("MASTER_PORT", Integer.toString(assignment.storePort()));
    variables.put("TORCHELASTIC_RESTART_COUNT", Integer.toString(assignment.attempt()));
    variables.put("TORCHELASTIC_MAX_RESTARTS", Integer.toString(spec.ending().maxRestarts()));
    variables.put("TORCHELASTIC_RUN_ID", spec.runId());
    variables.put("TORCHELASTIC_USE_AGENT_STORE", "True");
    unlessChosen(variables, "1", "TORCH_NCCL_ASYNC_ERROR_HANDLING");
  }

  private void place(Map<String, String> variables, int localRank, int processes) {
    Binding.Place place = spec.here().binding().place(localRank);
    place.environment().forEach((name, value) -> unlessChosen(variables, value, name));
    if (processes > 1) {
      unlessChosen(variables, "1", "OMP_NUM_THREADS");
    }
    if (!place.cpus().isEmpty()) {
      variables.put("HOLDFAST_CPUS", place.cpus());
    }
    if (!place.memory().isEmpty()) {
      variables.put("HOLDFAST_MEMORY", place.memory());
    }
    if (spec.program().virtualLocalRank()) {
      variables.put("LOCAL_RANK", "0");
      oneDevice(variables, localRank);
    }
  }

  /** Of the devices that are visible, the one of this rank; all of them if none is named. */
  private void oneDevice(Map<String, String> variables, int localRank) {
    String name =
        VISIBILITY.stream()
            .filter(known -> inherited.containsKey(known) || variables.containsKey(known))
            .findFirst()
            .orElse(VISIBILITY.getFirst());
    String list = variables.getOrDefault(name, inherited.getOrDefault(name, ""));
    List<String> visible = Stream.of(list.split(",")).filter(word -> !word.isBlank()).toList();
    variables.put(
        name,
        localRank < visible.size() ? visible.get(localRank).strip() : Integer.toString(localRank));
  }

  /** What is left behind by a rank that hangs or crashes; both names of torch's variables. */
  private void evidence(Map<String, String> variables, String folder) {
    unlessChosen(variables, TRACE_ENTRIES, "TORCH_NCCL_TRACE_BUFFER_SIZE", "TORCH_FR_BUFFER_SIZE");
    unlessChosen(
        variables,
        folder + "/nccl_trace_rank_",
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE",
        "TORCH_FR_DUMP_TEMP_FILE");
    unlessChosen(variables, folder + "/nccl_trace_pipe_", "TORCH_NCCL_DEBUG_INFO_PIPE_FILE");
    unlessChosen(variables, "1", "TORCH_NCCL_DUMP_ON_TIMEOUT");
    unlessChosen(variables, "1", "PYTHONFAULTHANDLER");
    unlessChosen(variables, "1", "PYTHONUNBUFFERED");
  }

  private void ours(
      Map<String, String> variables,
      Assignment assignment,
      int rank,
      int localRank,
      String folder) {
    List<String> path = new ArrayList<>(List.of(shim.toString()));
    String given = variables.getOrDefault("PYTHONPATH", inherited.getOrDefault("PYTHONPATH", ""));
    if (!given.isEmpty()) {
      path.add(given);
    }
    variables.put("PYTHONPATH", String.join(":", path));
    variables.put("HOLDFAST_JOB", spec.job());
    variables.put("HOLDFAST_RANK", Integer.toString(rank));
    variables.put("HOLDFAST_ATTEMPT", Integer.toString(assignment.attempt()));
    variables.put("HOLDFAST_RUN_DIR", LogFolders.ofNode(spec));
    variables.put("HOLDFAST_BEAT_FILE", folder + "/beats.jsonl");
    variables.put("HOLDFAST_STACK_FILE", folder + "/stacks.txt");
    unlessEmpty(variables, "HOLDFAST_CHECKPOINT_DIR", spec.watching().checkpointDir());
    unlessEmpty(variables, "HOLDFAST_INJECT", spec.watching().inject());
    if (spec.ending().warm() && localRank == 0) {
      variables.put("HOLDFAST_LEARN", StandbySpecs.learned(spec, assignment.attempt()).toString());
    }
  }

  private static void unlessEmpty(Map<String, String> variables, String name, String value) {
    if (!value.isEmpty()) {
      variables.put(name, value);
    }
  }

  /** Sets all names of one thing, unless somebody has set one of them. */
  private void unlessChosen(Map<String, String> variables, String value, String... names) {
    if (Stream.of(names)
        .noneMatch(name -> inherited.containsKey(name) || variables.containsKey(name))) {
      Stream.of(names).forEach(name -> variables.put(name, value));
    }
  }
}
