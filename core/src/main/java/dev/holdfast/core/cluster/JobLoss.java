package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Time a job lost.
 *
 * @param phase detect, decide, stop, restart, re-init, recompute
 * @param cause the failure class, such as {@code lost-gpu}; {@code unknown} when nobody can tell
 * @param seconds of wall-clock time, for the whole job
 */
public record JobLoss(String phase, String cause, double seconds) {
  private static final int MOST_WORD = 60;
  private static final double CENTURY = 100 * 365.25 * 86_400;

  public JobLoss {
    phase = Wrap.cut(phase, MOST_WORD);
    cause = Wrap.cut(cause, MOST_WORD);
    seconds = sound(seconds);
  }

  /** A time a job can take; any other is as good as not known, which is 0. */
  static double sound(double seconds) {
    return seconds > 0 && seconds <= CENTURY ? seconds : 0;
  }

  public Map<String, @Nullable Object> json() {
    return Json.map("phase", phase, "cause", cause, "seconds", seconds);
  }

  public static JobLoss of(Fields fields) {
    return new JobLoss(
        fields.text("phase"), fields.text("cause", "unknown"), fields.decimal("seconds", 0));
  }
}
