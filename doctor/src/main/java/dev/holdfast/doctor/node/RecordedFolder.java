package dev.holdfast.doctor.node;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recorded node laid out as a folder: a snapshot unpacked, or a fixture.
 *
 * <p>A folder may stand on another: {@code base} names it, {@code removed} lists member prefixes to
 * leave out of it. So a planted fault is a folder holding just what differs.
 *
 * <p>{@code files} (and {@code files.NAME}, where several people write) may hold many short files
 * as one table, path TAB text with {@code \n} for a line break: a thousand one-number files of
 * sysfs are read and compared better so.
 */
public final class RecordedFolder {
  private static final String CHANGES = "changes/";
  private static final long MAX_MEMBER = 16L << 20;
  private static final long MAX_TOTAL = 256L << 20;
  private static final int MAX_MEMBERS = 50_000;

  private RecordedFolder() {}

  public static RecordedNode open(Path folder) {
    return new RecordedNode(members(folder));
  }

  /** Every member of the folder and of the one it stands on. */
  public static Map<String, String> members(Path folder) {
    Map<String, String> own = read(folder);
    if (!own.containsKey("about") && !own.containsKey("base")) {
      throw new HoldfastException(
          ErrorCode.NOT_AN_ARCHIVE, folder + " is not a recorded node: it has no file 'about'");
    }
    String base = own.remove("base");
    if (base == null) {
      return own;
    }
    Map<String, String> all = read(folder.resolve(base.strip()).normalize());
    List<String> removed = own.getOrDefault("removed", "").lines().toList();
    all.keySet().removeIf(member -> removed.stream().anyMatch(member::startsWith));
    for (String table : List.of("links", "listings", "missing")) {
      String kept = rowsWithout(all.getOrDefault(table, ""), removed);
      own.put(table, kept + own.getOrDefault(table, ""));
    }
    all.putAll(own);
    all.remove("removed");
    for (String name : List.copyOf(all.keySet())) {
      if (name.startsWith(CHANGES)) {
        String changes = all.getOrDefault(name, "");
        all.remove(name);
        all.merge(
            name.substring(CHANGES.length()),
            changed("", changes),
            (old, _) -> changed(old, changes));
      }
    }
    return all;
  }

  private static String changed(String text, String changes) {
    List<String> dropped = new ArrayList<>();
    Map<String, String> lines = new LinkedHashMap<>();
    changes.lines().filter(l -> l.startsWith("-")).forEach(l -> dropped.add(l.substring(1)));
    text.lines()
        .filter(line -> dropped.stream().noneMatch(line::startsWith))
        .forEach(line -> lines.put(key(line), line));
    changes.lines().filter(l -> !l.startsWith("-")).forEach(l -> lines.put(key(l), l));
    return String.join("\n", lines.values()) + "\n";
  }

  private static String key(String line) {
    int equals = line.indexOf('=');
    return equals < 0 ? line : line.substring(0, equals);
  }

  private static String rowsWithout(String table, List<String> removed) {
    StringBuilder kept = new StringBuilder();
    table
        .lines()
        .filter(row -> removed.stream().noneMatch(prefix -> ("root" + row).startsWith(prefix)))
        .forEach(row -> kept.append(row).append('\n'));
    return kept.toString();
  }

  private static Map<String, String> read(Path folder) {
    Map<String, String> members = new TreeMap<>();
    long total = 0;
    try (var walk = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) walk::iterator) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          continue;
        }
        long size = Files.size(file);
        total += size;
        if (size > MAX_MEMBER || total > MAX_TOTAL || members.size() >= MAX_MEMBERS) {
          throw new HoldfastException(
              ErrorCode.HOSTILE_ARCHIVE, file + ": the folder is larger than a recorded node");
        }
        String name = folder.relativize(file).toString();
        members.put(name, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, folder + ": " + e.getMessage(), e);
    }
    FilesTable.expand(folder.toString(), members);
    return members;
  }
}
