package dev.holdfast.doctor.system;

import dev.holdfast.doctor.node.NodeView;
import java.util.OptionalLong;

/** The rows of {@code /proc/self/limits}. */
final class ResourceLimits {
  static final String PATH = "/proc/self/limits";

  /** A soft and a hard limit; {@link Long#MAX_VALUE} is unlimited. */
  record Pair(long soft, long hard) {
    String show() {
      return word(soft) + " (hard " + word(hard) + ")";
    }

    private static String word(long value) {
      return value == Long.MAX_VALUE ? "unlimited" : Long.toString(value);
    }
  }

  private ResourceLimits() {}

  /** The limit of this name, such as {@code Max open files}, or the check is skipped. */
  static Pair require(NodeView node, String name) {
    for (String line : node.require(PATH).split("\n")) {
      if (line.startsWith(name)) {
        String[] words = line.substring(name.length()).strip().split("\\s+");
        if (words.length >= 2 && number(words[0]).isPresent() && number(words[1]).isPresent()) {
          return new Pair(number(words[0]).getAsLong(), number(words[1]).getAsLong());
        }
      }
    }
    throw new dev.holdfast.doctor.node.Unavailable(PATH + " has no row '" + name + "'");
  }

  private static OptionalLong number(String word) {
    try {
      return OptionalLong.of(word.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(word));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
