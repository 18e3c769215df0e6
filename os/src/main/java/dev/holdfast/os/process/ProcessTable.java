package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which processes are there, and who belongs to whom? One look at {@code /proc}. */
public final class ProcessTable {
  private static final int STAT_LIMIT = 1 << 14;
  private static final int ENVIRONMENT_LIMIT = 1 << 21;

  private final Map<Long, Row> rows;

  /** What is of interest of one process. */
  public record Row(long pid, long parent, long group, long session, char state) {
    /** Whether it has not died; one that has waits only for its parent to collect it. */
    public boolean alive() {
      return state != 'Z' && state != 'X' && state != 'x';
    }

    /** Whether no signal reaches it now, not even KILL. */
    public boolean stuck() {
      return state == 'D';
    }
  }

  ProcessTable(List<Row> rows) {
    this.rows = new HashMap<>();
    rows.forEach(row -> this.rows.put(row.pid(), row));
  }

  public static ProcessTable read() {
    List<Row> rows = new ArrayList<>();
    String[] names = new File("/proc").list();
    for (String name : names == null ? new String[0] : names) {
      if (!name.isEmpty() && name.charAt(0) >= '1' && name.charAt(0) <= '9') {
        String stat =
            BoundedFile.read(Path.of("/proc", name, "stat"), STAT_LIMIT).text().orElse("");
        row(stat).ifPresent(rows::add);
      }
    }
    return new ProcessTable(rows);
  }

  /** A line of {@code /proc/PID/stat}; the name in it may hold anything, parentheses included. */
  static Optional<Row> row(String stat) {
    int name = stat.indexOf(' ');
    int end = stat.lastIndexOf(')');
    if (name < 0 || end < 0 || end + 2 >= stat.length()) {
      return Optional.empty();
    }
    String[] fields = stat.substring(end + 2).strip().split(" ", 5);
    try {
      return fields.length < 5
          ? Optional.empty()
          : Optional.of(
              new Row(
                  Long.parseLong(stat.substring(0, name)),
                  Long.parseLong(fields[1]),
                  Long.parseLong(fields[2]),
                  Long.parseLong(fields[3].strip()),
                  fields[0].charAt(0)));
    } catch (NumberFormatException unreadable) {
      return Optional.empty();
    }
  }

  public Optional<Row> find(long pid) {
    return Optional.ofNullable(rows.get(pid));
  }

  public List<Row> all(Predicate<Row> condition) {
    return rows.values().stream().filter(condition).toList();
  }

  /**
   * Everybody below one of these processes, themselves not included, without what is below others.
   */
  public Set<Long> below(Set<Long> roots, Set<Long> without) {
    Map<Long, List<Long>> children = new HashMap<>();
    rows.values()
        .forEach(
            row -> children.computeIfAbsent(row.parent(), _ -> new ArrayList<>()).add(row.pid()));
    Set<Long> found = new HashSet<>();
    List<Long> open = new ArrayList<>(roots);
    while (!open.isEmpty()) {
      for (long child : children.getOrDefault(open.removeLast(), List.of())) {
        if (!without.contains(child) && !roots.contains(child) && found.add(child)) {
          open.add(child);
        }
      }
    }
    return found;
  }

  /**
   * Whether the process was started with this variable; inherited by whatever a rank starts, also
   * by what made itself a daemon. False where we may not look.
   */
  public static boolean hasVariable(long pid, String nameAndValue) {
    String environment =
        BoundedFile.read(
                Path.of("/proc/" + pid + "/environ"), ENVIRONMENT_LIMIT, Form.NUL_SEPARATED)
            .text()
            .orElse("");
    return environment.lines().anyMatch(nameAndValue::equals);
  }
}
