package dev.holdfast.bench.imports;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a benchmark printed. Launchers put the rank or the host before each line, containers the
 * time, documents blanks, and terminals add colours; all of that is taken off.
 *
 * @param name of the file, for messages and where a name tells what was measured
 * @param lines without what others added
 */
public record Log(String name, String text, List<String> lines) {
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");

  /**
   * Quotation marks; the time of a container's log; Open MPI's --tag-output, srun's --label,
   * torchrun's --tee with a host or a role, Ray's and others' (…rank=1…).
   */
  private static final Pattern LABEL =
      Pattern.compile(
          "^(?:> ?)*"
              + "(?:\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d) (?:std(?:out|err) [FP] )?)?"
              + "(?:\\[\\d+,\\d+\\]<std(?:out|err)>:\\s?"
              + "| *\\d{1,6}: "
              + "|\\[(?:[^\\s\\[\\]:]+:\\d+|[a-z]+\\d+)\\]: ?"
              + "|\\([^()]*rank=[^()]*\\) )?");

  public Log(String name, String text) {
    this(name, text, plain(text));
  }

  private static List<String> plain(String text) {
    return text.lines()
        .map(line -> COLOURS.matcher(line).replaceAll(""))
        .map(line -> LABEL.matcher(line).replaceFirst(""))
        .collect(Collectors.joining("\n"))
        .stripIndent()
        .lines()
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
