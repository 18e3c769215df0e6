package dev.holdfast.launch.supervise;

import java.util.List;
import java.util.Map;

/**
 * One rank to start.
 *
 * @param environment set on top of the supervisor's own
 * @param folder where {@code stdout.log}, {@code stderr.log} and the error file go
 * @param keep which streams go to files there: 0 none, 1 output, 2 errors, 3 both
 * @param show which streams are shown on the console, in the same numbers; 3 by default
 * @param prefix written before each line on the console, empty: none
 * @param cpus where it may run, as a list ({@code 0-3,8}); empty: anywhere
 */
public record RankSpec(
    int rank,
    int localRank,
    List<String> command,
    Map<String, String> environment,
    String folder,
    int keep,
    int show,
    String prefix,
    String cpus) {

  public RankSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
