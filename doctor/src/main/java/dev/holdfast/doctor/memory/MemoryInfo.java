package dev.holdfast.doctor.memory;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.HashMap;
import java.util.Map;

/** The rows of {@code /proc/meminfo}, in bytes. */
public record MemoryInfo(Map<String, Bytes> rows) {
  public static final String PATH = "/proc/meminfo";

  public MemoryInfo {
    rows = Map.copyOf(rows);
  }

  public static MemoryInfo of(NodeView node) {
    Map<String, Bytes> rows = new HashMap<>();
    for (String line : node.require(PATH).split("\n")) {
      String[] words = line.split("\\s+");
      if (words.length >= 2 && words[0].endsWith(":") && words[1].matches("\\d{1,15}")) {
        boolean plainCount = words.length == 2;
        rows.put(
            words[0].substring(0, words[0].length() - 1),
            Bytes.of(Long.parseLong(words[1]) * (plainCount ? 1 : 1024)));
      }
    }
    return new MemoryInfo(rows);
  }

  /** The row's size, or the check is skipped. */
  public Bytes require(String row) {
    Bytes size = rows.get(row);
    if (size == null) {
      throw new Unavailable(PATH + " has no row " + row);
    }
    return size;
  }
}
