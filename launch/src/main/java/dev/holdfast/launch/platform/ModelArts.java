package dev.holdfast.launch.platform;

import java.util.List;
import java.util.Optional;

/**
 * A node of a ModelArts training job. RANK_TABLE_FILE, the table of Ascend devices that appears
 * some time after the start, is left to the program: nothing here waits for it.
 */
final class ModelArts {
  private ModelArts() {}

  static boolean isHere(Surroundings around) {
    return around.text("MA_JOB_DIR", "MA_NUM_HOSTS").isPresent();
  }

  static Optional<Sighting> look(Surroundings around) {
    if (!isHere(around)) {
      return Optional.empty();
    }
    Sighting seen = new Sighting("modelarts");
    seen.job = around.text("MA_VJ_NAME").map(name -> "modelarts-" + name);
    seen.rank = around.claim("VC_TASK_INDEX", "MA_TASK_INDEX");
    seen.count = around.claim("MA_NUM_HOSTS", "VC_WORKER_NUM");
    around
        .text("VC_WORKER_HOSTS", "MA_VJ_HOSTS")
        .ifPresent(hosts -> seen.nodes(List.of(hosts.split("\\s*,\\s*")), "VC_WORKER_HOSTS"));
    seen.processes = around.claim("MA_NUM_GPUS").filter(gpus -> gpus.value() > 0);
    seen.address = around.text("MA_CURRENT_IP");
    seen.failureFiles =
        around
            .text("MA_LOG_DIR")
            .map(folder -> List.of(folder + "/holdfast-failure.json"))
            .orElse(List.of());
    if (around.has("RANK_TABLE_FILE")) {
      seen.notes.add("RANK_TABLE_FILE is passed on as it is; Holdfast does not wait for the table");
    }
    return Optional.of(seen);
  }
}
