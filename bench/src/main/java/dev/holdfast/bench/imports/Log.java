package dev.holdfast.bench.imports;

import java.util.List;
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

  boolean isJson() {
    return text.stripLeading().startsWith("{");
  }
}
