package dev.holdfast.launch.plan;

import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.RankSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What does a standby of a local rank start with? All that the rank will have in any attempt, and
 * nothing that belongs to one: those variables come when it is needed, and until then nobody may
 * have looked for them.
 */
public final class StandbySpecs {
  private static final Set<String> OF_AN_ATTEMPT =
      Set.of(
          "RANK",
          "LOCAL_RANK",
          "GROUP_RANK",
          "ROLE_RANK",
          "ROLE_NAME",
          "WORLD_SIZE",
          "LOCAL_WORLD_SIZE",
          "GROUP_WORLD_SIZE",
          "ROLE_WORLD_SIZE",
          "MASTER_ADDR",
          "MASTER_PORT",
          "HOLDFAST_RANK",
          "HOLDFAST_ATTEMPT");

  private StandbySpecs() {}

  /** The file in which local rank 0 notes what it imports. */
  public static Path learned(JobSpec spec, int attempt) {
    return Path.of(LogFolders.ofRank(spec, attempt, 0), "modules.txt");
  }

  /**
   * The order for one.
   *
   * @param rank the rank of its place in the present attempt
   * @param modules what it is to import, as a rank learned it
   * @param leaveOut modules it must not import
   */
  public static Order.Prepare of(
      JobSpec spec, Assignment assignment, RankSpec rank, Path modules, List<String> leaveOut) {
    String folder = LogFolders.ofAttempt(spec, assignment.attempt()) + "/";
    Map<String, String> lasting = new HashMap<>(rank.environment());
    Set<String> missing = new TreeSet<>();
    rank.environment()
        .forEach(
            (name, value) -> {
              if (OF_AN_ATTEMPT.contains(name)
                  || name.startsWith("TORCHELASTIC_")
                  || value.startsWith(folder)) {
                lasting.remove(name);
                missing.add(name);
              }
            });
    // Only the first of a node learns; all of them are to notice who asks for it.
    missing.add("HOLDFAST_LEARN");
    lasting.put(
        "HOLDFAST_STANDBY",
        Json.line(
            Json.map(
                "modules", modules.toString(), "names", List.copyOf(missing), "leave", leaveOut)));
    return new Order.Prepare(
        new RankSpec(
            rank.rank(),
            rank.localRank(),
            rank.command(),
            lasting,
            rank.folder(),
            rank.keep(),
            rank.show(),
            rank.prefix(),
            rank.cpus()),
        List.copyOf(missing));
  }
}
