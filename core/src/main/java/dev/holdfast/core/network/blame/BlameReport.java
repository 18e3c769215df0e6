package dev.holdfast.core.network.blame;

import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who is to blame.
 *
 * @param undecided what was seen to be bad but could not be pinned down in the rounds there were;
 *     sentences that name all that remain possible
 * @param good how many endpoints are proven good
 * @param typical what others reach, in GB/s; not a number when nothing got through
 */
public record BlameReport(
    List<Blamed> blamed,
    List<String> undecided,
    int endpoints,
    int good,
    int rounds,
    int measurements,
    double typical) {
  public BlameReport {
    blamed = List.copyOf(blamed);
    undecided = List.copyOf(undecided);
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "blamed", blamed.stream().map(Blamed::tree).toList(),
        "undecided", undecided,
        "endpoints", endpoints,
        "provenGood", good,
        "rounds", rounds,
        "measurements", measurements,
        "typicalGigabytesPerSecond", Double.isNaN(typical) ? null : typical);
  }
}
