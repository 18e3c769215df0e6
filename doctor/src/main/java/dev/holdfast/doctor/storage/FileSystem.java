package dev.holdfast.doctor.storage;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mounted file system and its room: one row of the {@code filesystems} probe.
 *
 * @param state {@code ok}, {@code hung} or {@code error: …}
 * @param free bytes a user may still take
 * @param files inodes in all; 0 where they are made as needed
 */
public record FileSystem(
    String point,
    String source,
    String type,
    String state,
    long size,
    long free,
    long files,
    long freeFiles) {
  private static final int FIELDS = 8;

  /** All of them, or the check is skipped. */
  public static List<FileSystem> require(NodeView node) {
    return parse(node.requireProbe("filesystems"));
  }

  public static Optional<FileSystem> at(NodeView node, String point) {
    return require(node).stream().filter(system -> system.point.equals(point)).findFirst();
  }

  static List<FileSystem> parse(String text) {
    List<FileSystem> systems = new ArrayList<>();
    for (String line : text.split("\n")) {
      String[] words = line.split("\t", -1);
      if (words.length >= FIELDS) {
        systems.add(
            new FileSystem(
                words[0],
                words[1],
                words[2],
                words[3],
                number(words[4]),
                number(words[5]),
                number(words[6]),
                number(words[7])));
      }
    }
    return systems;
  }

  public boolean answered() {
    return state.equals("ok");
  }

  public boolean hung() {
    return state.equals("hung");
  }

  public int usedPercent() {
    return size <= 0 ? 0 : (int) Math.round(100.0 * (size - free) / size);
  }

  public double freePercent() {
    return size <= 0 ? 100 : 100.0 * free / size;
  }

  public double freeFilesPercent() {
    return files <= 0 ? 100 : 100.0 * freeFiles / files;
  }

  private static long number(String digits) {
    try {
      return Math.max(0, Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
