package dev.holdfast.doctor.software;

import dev.holdfast.doctor.node.NodeView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The environment variables of the examined shell or container: {@code NAME=value} a line. */
public record Variables(Map<String, String> values) {
  private static final int MAX_FOLDERS = 200;

  public Variables {
    values = Map.copyOf(values);
  }

  public static Variables of(NodeView node) {
    Map<String, String> values = new HashMap<>();
    for (String line : node.probe("environment").text().orElse("").split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1).strip());
      }
    }
    return new Variables(values);
  }

  /** Whether anything at all is known of the environment. */
  public boolean known() {
    return !values.isEmpty();
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
  }

  /** The folders of a list such as LD_LIBRARY_PATH, without a slash at the end. */
  public List<String> folders(String name) {
    return value(name).stream()
        .flatMap(list -> Stream.of(list.split(":")))
        .map(String::strip)
        .filter(folder -> folder.startsWith("/"))
        .map(Variables::withoutSlash)
        .distinct()
        .limit(MAX_FOLDERS)
        .toList();
  }

  private static String withoutSlash(String folder) {
    int end = folder.length();
    while (end > 1 && folder.charAt(end - 1) == '/') {
      end--;
    }
    return folder.substring(0, end);
  }
}
