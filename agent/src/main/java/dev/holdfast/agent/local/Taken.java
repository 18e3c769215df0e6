package dev.holdfast.agent.local;

import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a line was taken.
 *
 * @param problem why it was not, or what became of what was said before; empty: all is well
 * @param as under which name its job is known, where that is another; empty: under its own
 */
public record Taken(String problem, String as) {
  public static final Taken WELL = new Taken("", "");

  static Taken not(String why) {
    return new Taken(why, "");
  }

  Map<String, @Nullable Object> json() {
    return problem.isEmpty()
        ? Json.map("taken", true, "as", as.isEmpty() ? null : as)
        : Json.map("error", problem);
  }
}
