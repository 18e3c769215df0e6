package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the restart policy remembers of earlier attempts: a value that goes to the next leader as
 * JSON.
 *
 * @param used restarts taken from the budget and not yet given back
 * @param progress training time since the last restart was given back
 * @param bestStep the furthest step of all attempts, −1: none was told
 * @param barren attempts in a row that got no further
 * @param past the last failures, the latest at the end
 */
public record RestartHistory(
    int used, Duration progress, long bestStep, int barren, List<Past> past) {
  static final int MOST = 64;

  public static final RestartHistory NONE = new RestartHistory(0, Duration.ZERO, -1, 0, List.of());

  /** One earlier failure, as much of it as comparing needs. */
  public record Past(FailureClass kind, String signature, String node, long step, Duration ran) {
    Map<String, @Nullable Object> json() {
      return Json.map(
          "class",
          kind.word(),
          "signature",
          signature,
          "node",
          node.isEmpty() ? null : node,
          "step",
          step,
          "ranMillis",
          ran.toMillis());
    }

    static Past of(Fields fields) {
      return new Past(
          FailureClass.of(fields.text("class")),
          fields.text("signature"),
          fields.text("node", ""),
          fields.number("step", -1),
          Duration.ofMillis(fields.number("ranMillis", 0)));
    }
  }

  public RestartHistory {
    past = List.copyOf(past.subList(Math.max(0, past.size() - MOST), past.size()));
  }

  RestartHistory with(Past failure) {
    List<Past> longer = new ArrayList<>(past);
    longer.add(failure);
    return new RestartHistory(used, progress, bestStep, barren, longer);
  }

  /** The same after so many restarts more. */
  public RestartHistory using(int more) {
    return new RestartHistory(used + more, progress, bestStep, barren, past);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "used",
        used,
        "progressMillis",
        progress.toMillis(),
        "bestStep",
        bestStep,
        "barren",
        barren,
        "past",
        past.stream().map(Past::json).toList());
  }

  public static RestartHistory of(Fields fields) {
    return new RestartHistory(
        fields.integer("used", 0),
        Duration.ofMillis(fields.number("progressMillis", 0)),
        fields.number("bestStep", -1),
        fields.integer("barren", 0),
        fields.objects("past").stream().map(Past::of).toList());
  }
}
