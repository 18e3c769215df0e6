package dev.holdfast.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A file of lines that an option names: what is wrong in it is told with the option, the file and
 * the line.
 */
final class LineFile {
  private LineFile() {}

  static <T> T read(String option, Path file, Function<String, T> parse) {
    String text = PolicyFile.text(file);
    try {
      requireShown(text.lines().toList());
      return parse.apply(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "%s %s: %s".formatted(option, file, wrong.getMessage()), wrong);
    }
  }

  /** Names are printed: what moves the cursor of a terminal is no part of one. */
  private static void requireShown(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).chars().anyMatch(it -> it != '\t' && Character.isISOControl(it))) {
        throw new IllegalArgumentException(
            "line %d has a control character; expected plain text".formatted(i + 1));
      }
    }
  }
}
