package dev.holdfast.cli.slurm;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What we wrote into a folder: a list that {@code sha256sum -c} reads, too, so that anybody can see
 * what was changed since. Nothing that is not in it is ever removed.
 *
 * @param sums by path below the folder
 * @param made folders that were not there before, outermost first
 */
record InstalledFiles(Map<String, String> sums, List<String> made) {
  static final String LIST = "holdfast/installed";
  private static final int LIMIT = 1 << 16;
  private static final String MADE = "# folder made: ";
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  ([^/.][^\\n]*)");

  InstalledFiles {
    sums = new TreeMap<>(sums);
    made = List.copyOf(made);
  }

  /** Nothing where there is no list. */
  static InstalledFiles read(Path folder) {
    Path file = folder.resolve(LIST);
    Reading reading = BoundedFile.read(file, LIMIT);
    if (reading instanceof Reading.Absent) {
      return new InstalledFiles(Map.of(), List.of());
    }
    String text =
        reading
            .text()
            .orElseThrow(
                () ->
                    new HoldfastException(ErrorCode.UNREADABLE_INPUT, file + ": " + reading.why()));
    Map<String, String> sums = new TreeMap<>();
    List<String> made = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher match = LINE.matcher(line);
      if (line.startsWith(MADE)) {
        made.add(inside(line.substring(MADE.length()), file));
      } else if (match.matches()) {
        sums.put(inside(match.group(2), file), match.group(1));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new HoldfastException(
            ErrorCode.UNREADABLE_INPUT,
            "%s: '%s' is no line of ours; nothing was changed".formatted(file, line));
      }
    }
    return new InstalledFiles(sums, made);
  }

  /** A path that leads elsewhere was not written by us. */
  private static String inside(String path, Path file) {
    if (path.isEmpty() || path.startsWith("/") || List.of(path.split("/")).contains("..")) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": '" + path + "' leads out; nothing was changed");
    }
    return path;
  }

  String text() {
    StringBuilder text =
        new StringBuilder("# Written by `holdfast slurm install`; `sha256sum -c` shows changes.\n");
    made.forEach(folder -> text.append(MADE).append(folder).append('\n'));
    sums.forEach((path, sum) -> text.append(sum).append("  ").append(path).append('\n'));
    return text.toString();
  }

  static String sum(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
