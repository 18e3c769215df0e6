package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks are watched.
 *
 * @param hang {@code auto}, {@code auto:SECONDS}, {@code off} or a duration such as {@code 10m}
 * @param beatPattern finds the step in a line of output; empty: none
 * @param watchdogConfig absolute path of an io-watchdog configuration; empty: none
 * @param checkpointDir absolute path of the checkpoints; empty: not known
 * @param inject a fault for the program to play, as {@code hang:rank=2,step=30}; empty: none
 */
public record WatchPlan(
    String hang,
    OnHang onHang,
    String beatPattern,
    String watchdogConfig,
    String checkpointDir,
    String inject) {

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "hang",
        hang,
        "onHang",
        onHang.word(),
        "beatPattern",
        beatPattern,
        "watchdogConfig",
        watchdogConfig,
        "checkpointDir",
        checkpointDir,
        "inject",
        inject);
  }

  public static WatchPlan of(Fields fields) {
    return new WatchPlan(
        fields.text("hang"),
        OnHang.of(fields.text("onHang")),
        fields.text("beatPattern", ""),
        fields.text("watchdogConfig", ""),
        fields.text("checkpointDir", ""),
        fields.text("inject", ""));
  }
}
