package dev.holdfast.launch.supervise;

import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is left of the ranks when their supervisor was killed: the process beside it ends them.
 *
 * <p>The kernel kills the ranks themselves; what they started may live on, below a stranger. It is
 * known by the variable every rank was started with and hands on, by its session, and by its group.
 *
 * @param mark that variable and its value
 * @param groups the start of the path of our control groups, if there are any
 */
public record Remains(String mark, Optional<String> groups) {
  static final String HELD_BY = "HOLDFAST_HELD_BY";
  static final String MARK = "HOLDFAST_REMAINS_MARK";
  static final String GROUPS = "HOLDFAST_REMAINS_GROUPS";
  private static final long PAUSE_MILLIS = 20;

  /** As the supervisor told it in the environment of the process beside it. */
  public static Optional<Remains> of(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(MARK))
        .map(mark -> new Remains(mark, Optional.ofNullable(environment.get(GROUPS))));
  }

  /** What {@link #of} finds. */
  Map<String, String> variables() {
    return groups.isPresent() ? Map.of(MARK, mark, GROUPS, groups.get()) : Map.of(MARK, mark);
  }

  /**
   * Kills them all, also those that start while it looks.
   *
   * @param sessions the process numbers of ranks that were not known to have ended
   * @return who is still there when the time is up
   */
  public List<Long> end(Collection<Long> sessions, Duration within) throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    while (true) {
      ownGroups().forEach(Cgroups::kill);
      List<Long> left = find(Set.copyOf(sessions));
      left.forEach(pid -> Signals.send(pid, Signals.KILL));
      if (left.isEmpty() || System.nanoTime() >= deadline) {
        ownGroups().forEach(Cgroups::remove);
        return left;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private List<Long> find(Set<Long> sessions) {
    long self = ProcessHandle.current().pid();
    return ProcessTable.read().all(ProcessTable.Row::alive).stream()
        .filter(row -> row.pid() != self && row.pid() != 1)
        .filter(
            row ->
                sessions.contains(row.session())
                    || sessions.contains(row.group())
                    || ProcessTable.hasVariable(row.pid(), mark))
        .map(ProcessTable.Row::pid)
        .toList();
  }

  private List<Path> ownGroups() {
    List<Path> found = new ArrayList<>();
    if (groups.isPresent()) {
      Path start = Path.of(groups.get());
      Path parent = start.getParent();
      String[] names = parent == null ? null : parent.toFile().list();
      for (String name : names == null ? new String[0] : names) {
        if (parent != null && name.startsWith(start.getFileName().toString())) {
          found.add(parent.resolve(name));
        }
      }
    }
    return found;
  }
}
