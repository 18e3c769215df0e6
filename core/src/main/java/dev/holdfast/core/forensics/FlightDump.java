package dev.holdfast.core.forensics;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far was a rank in its collectives, as PyTorch's flight recorder wrote it down? Only the last
 * numbers, and only of ranks with one process group in use: numbers of different groups cannot be
 * compared without knowing who is in them.
 *
 * @param enqueued the last collective the program began; ranks count the same collective alike
 * @param started the last one the device began
 * @param completed the last one that ended
 */
public record FlightDump(long enqueued, long started, long completed) {

  /** What a dump says; empty where it cannot be read, is of an old form, or has several groups. */
  public static Optional<FlightDump> of(byte[] dump) {
    try {
      if (!(PlainPickle.read(dump) instanceof Map<?, ?> all)
          || !(all.get("pg_status") instanceof Map<?, ?> groups)) {
        return Optional.empty();
      }
      FlightDump only = null;
      for (Object group : groups.values()) {
        if (group instanceof Map<?, ?> status && number(status, "enqueued") > 0) {
          if (only != null) {
            return Optional.empty();
          }
          only =
              new FlightDump(
                  number(status, "enqueued"),
                  number(status, "started"),
                  number(status, "completed"));
        }
      }
      return Optional.ofNullable(only);
    } catch (IllegalArgumentException notADump) {
      return Optional.empty();
    }
  }

  private static long number(Map<?, ?> status, String what) {
    @Nullable Object value = status.get("last_" + what + "_collective");
    return value instanceof Long number ? number : -1;
  }

  /** For people. */
  public String text() {
    return "began collective " + enqueued + ", ended " + completed;
  }
}
