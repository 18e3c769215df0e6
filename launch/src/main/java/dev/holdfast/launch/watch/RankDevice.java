package dev.holdfast.launch.watch;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which accelerator is a rank's? By the convention of all launchers: of the devices that its
 * environment lets it see, the one of its local rank; where it sees only one, that one.
 */
public final class RankDevice {
  private static final String CUDA = "CUDA_VISIBLE_DEVICES";

  /** With one of these the numbers are not those of NVIDIA's library. */
  private static final List<String> OTHERS =
      List.of("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES");

  private RankDevice() {}

  /**
   * A number or the beginning of a name such as {@code GPU-8f3c}; empty: none, or not known.
   *
   * @param environment of the rank, with LOCAL_RANK or SLURM_LOCALID in it
   */
  public static String of(Map<String, String> environment) {
    String local =
        environment.getOrDefault("LOCAL_RANK", environment.getOrDefault("SLURM_LOCALID", ""));
    int localRank = local.matches("[0-9]{1,4}") ? Integer.parseInt(local) : -1;
    String visible = environment.get(CUDA);
    if (visible == null) {
      boolean others = OTHERS.stream().anyMatch(environment::containsKey);
      return others || localRank < 0 ? "" : Integer.toString(localRank);
    }
    // As CUDA reads it: what follows the first word that is no device is not seen.
    List<String> seen =
        Stream.of(visible.split(",", -1))
            .map(String::strip)
            .takeWhile(word -> word.matches("[0-9]{1,4}|(GPU|MIG)-[0-9A-Za-z/-]{1,60}"))
            .toList();
    if (seen.size() == 1) {
      return seen.getFirst();
    }
    return localRank >= 0 && localRank < seen.size() ? seen.get(localRank) : "";
  }
}
