package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the output of the ranks goes.
 *
 * @param folder absolute; the folders of this node's attempts are below it
 * @param keep streams written to files, by local rank
 * @param show streams shown on the console, by local rank
 * @param shownRanks local ranks shown on the console; empty: all
 * @param prefix of a line on the console, with {@code ${role_name}}, {@code ${rank}}, {@code
 *     ${local_rank}}; empty: none
 */
public record OutputPlan(
    String folder, StreamChoice keep, StreamChoice show, List<Integer> shownRanks, String prefix) {

  public OutputPlan {
    shownRanks = List.copyOf(shownRanks);
    if (!folder.startsWith("/")) {
      throw new IllegalArgumentException("not absolute: " + folder);
    }
  }

  /** What of this local rank is shown on the console. */
  public int shown(int localRank) {
    return shownRanks.isEmpty() || shownRanks.contains(localRank) ? show.of(localRank) : 0;
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "folder",
        folder,
        "keep",
        keep.toString(),
        "show",
        show.toString(),
        "shownRanks",
        shownRanks,
        "prefix",
        prefix);
  }

  public static OutputPlan of(Fields fields) {
    return new OutputPlan(
        fields.text("folder"),
        StreamChoice.parse(fields.text("keep")),
        StreamChoice.parse(fields.text("show")),
        fields.integers("shownRanks"),
        fields.text("prefix"));
  }
}
