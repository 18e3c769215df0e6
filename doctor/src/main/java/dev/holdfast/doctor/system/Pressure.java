package dev.holdfast.doctor.system;

import dev.holdfast.doctor.node.NodeView;
import java.util.OptionalDouble;

/** Pressure stall information: how much of the time tasks waited for a resource. */
public final class Pressure {
  public static final String PROCESSOR = "/proc/pressure/cpu";
  public static final String MEMORY = "/proc/pressure/memory";

  private Pressure() {}

  /** Such as {@code some avg300}, in percent. */
  public static OptionalDouble read(NodeView node, String path, String row, String average) {
    for (String line : node.read(path).text().orElse("").split("\n")) {
      int at = line.startsWith(row + " ") ? line.indexOf(average + "=") : -1;
      if (at >= 0) {
        String value = line.substring(at + average.length() + 1).split(" ", 2)[0];
        try {
          return OptionalDouble.of(Double.parseDouble(value));
        } catch (NumberFormatException e) {
          return OptionalDouble.empty();
        }
      }
    }
    return OptionalDouble.empty();
  }
}
