package dev.holdfast.doctor.node;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Subject;
import dev.holdfast.os.file.Reading;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A node as it was recorded: from a snapshot archive or a fixture folder.
 *
 * <p>The members are texts by name:
 *
 * <ul>
 *   <li>{@code about}: {@code node=…}, {@code time=…}
 *   <li>{@code root/proc/meminfo}: the file /proc/meminfo
 *   <li>{@code probe/nvml}: the probe nvml
 *   <li>{@code links}: a line per symbolic link, path TAB target
 *   <li>{@code listings}: a line per directory, path TAB names separated by TABs; a directory not
 *       named here lists what is recorded below it
 *   <li>{@code missing}: a line per file or probe that could not be read, name TAB {@code denied},
 *       {@code broken} or {@code absent} TAB reason
 * </ul>
 */
public final class RecordedNode implements NodeView {
  private final String name;
  private final Instant time;
  private final Map<String, String> members;
  private final Map<String, String> links = new HashMap<>();
  private final Map<String, List<String>> listings = new HashMap<>();
  private final Map<String, Reading> missing = new HashMap<>();
  private final Map<String, TreeSet<String>> children = new HashMap<>();

  public RecordedNode(Map<String, String> members) {
    this.members = Map.copyOf(members);
    Map<String, String> about = about(members.getOrDefault("about", ""));
    this.name = name(about.getOrDefault("node", "unknown"));
    this.time = time(about.getOrDefault("time", "1970-01-01T00:00:00Z"));
    forEachRow("links", 2, row -> links.put(row[0], row[1]));
    forEachRow("listings", 1, row -> listings.put(row[0], List.of(row).subList(1, row.length)));
    forEachRow("missing", 2, row -> missing.put(row[0], missing(row)));
    for (String member : members.keySet()) {
      if (member.startsWith("root/")) {
        noteParents(member.substring("root".length()));
      }
    }
    links.keySet().forEach(this::noteParents);
  }

  private static String name(String text) {
    try {
      return new Subject.Node(text).node();
    } catch (IllegalArgumentException e) {
      throw new HoldfastException(
          ErrorCode.DAMAGED_ARCHIVE, "the recorded node has no usable name: " + e.getMessage(), e);
    }
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new HoldfastException(
          ErrorCode.DAMAGED_ARCHIVE, "the recorded node has no usable time: " + text, e);
    }
  }

  private static Map<String, String> about(String text) {
    Map<String, String> about = new HashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        about.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return about;
  }

  private void forEachRow(String member, int least, Consumer<String[]> row) {
    for (String line : members.getOrDefault(member, "").split("\n")) {
      String[] fields = line.split("\t");
      if (fields.length >= least && !fields[0].isEmpty()) {
        row.accept(fields);
      }
    }
  }

  private static Reading missing(String[] row) {
    String why = row.length > 2 ? row[2] : "could not be read when recorded";
    return switch (row[1]) {
      case "denied" -> new Reading.Denied(why);
      case "absent" -> new Reading.Absent(why);
      default -> new Reading.Broken(why);
    };
  }

  private void noteParents(String path) {
    int slash = path.lastIndexOf('/');
    String child = path;
    while (slash >= 0) {
      String parent = slash == 0 ? "/" : child.substring(0, slash);
      boolean isNew =
          children.computeIfAbsent(parent, _ -> new TreeSet<>()).add(child.substring(slash + 1));
      if (!isNew || slash == 0) {
        return;
      }
      child = parent;
      slash = child.lastIndexOf('/');
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Instant now() {
    return time;
  }

  @Override
  public Reading read(String path) {
    String text = members.get("root" + path);
    if (text != null) {
      return new Reading.Text(text);
    }
    Reading recorded = missing.get(path);
    return recorded != null ? recorded : new Reading.Absent(path + " does not exist");
  }

  @Override
  public List<String> list(String path) {
    List<String> recorded = listings.get(path);
    return recorded != null
        ? recorded
        : new ArrayList<>(children.getOrDefault(path, new TreeSet<>()));
  }

  @Override
  public Optional<String> link(String path) {
    return Optional.ofNullable(links.get(path));
  }

  @Override
  public Reading probe(String probe) {
    String text = members.get("probe/" + probe);
    if (text != null) {
      return new Reading.Text(text);
    }
    Reading recorded = missing.get("probe/" + probe);
    return recorded != null ? recorded : new Reading.Absent(LiveProbes.absence(probe));
  }
}
