package dev.holdfast.bench.imports;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a benchmark printed. Launchers put the rank or the host before each line and terminals add
 * colours; both are taken off.
 *
 * @param name of the file, for messages and where a name tells what was measured
 */
public record Log(String name, String text) {
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");

  /** Open MPI's --tag-output, srun's --label, Ray's and others' (…rank=1…), a quotation mark. */
  private static final Pattern LABEL =
      Pattern.compile(
          "^(?:> )?(?:\\[\\d+,\\d+\\]<std(?:out|err)>:\\s?|\\d+: |\\([^()]*rank=[^()]*\\) )?");

  public List<String> lines() {
    return text.lines()
        .map(line -> COLOURS.matcher(line).replaceAll(""))
        .map(line -> LABEL.matcher(line).replaceFirst(""))
        .toList();
  }

  /**
   * What to say when the last line has no end: the file may have been cut off in it, and half a
   * number is a number.
   */
  Optional<String> openEnd() {
    if (isJson() || text.isEmpty() || text.endsWith("\n")) {
      return Optional.empty();
    }
    List<String> lines = lines();
    return lines.getLast().isBlank() || lines.getLast().startsWith("#")
        ? Optional.empty()
        : Optional.of(
            "line %d, the last, does not end in a newline: the file may be cut off there"
                .formatted(lines.size()));
  }

  boolean isJson() {
    return text.stripLeading().startsWith("{");
  }
}
