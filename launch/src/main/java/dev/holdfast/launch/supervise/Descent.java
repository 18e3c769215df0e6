package dev.holdfast.launch.supervise;

import dev.holdfast.os.process.ProcessTable;
import dev.holdfast.os.process.ProcessTable.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Who descends from the ranks and is alive? Orphans come to us, so everybody below us is of a rank
 * unless it belongs to one of our other children. Where the kernel does not send them to us, and
 * for who is in the session of a rank but not below us, the variable every rank hands on decides.
 */
final class Descent {
  private final boolean adopting;
  private final String mark;
  private final Supplier<Set<Long>> others;

  /**
   * @param others our children that are not of ranks
   */
  Descent(boolean adopting, String mark, Supplier<Set<Long>> others) {
    this.adopting = adopting;
    this.mark = mark;
    this.others = others;
  }

  List<Row> of(Attempt attempt) {
    long self = ProcessHandle.current().pid();
    Set<Long> without = new HashSet<>(others.get());
    ProcessTable table = ProcessTable.read();
    Set<Long> found = table.below(Set.of(self), without);
    Set<Long> sessions =
        attempt.ranks.stream()
            .map(rank -> rank.pid)
            .filter(pid -> pid > 0)
            .collect(Collectors.toSet());
    Set<Long> belowOthers = table.below(without, Set.of());
    for (Row row : table.all(Row::alive)) {
      boolean possible = !adopting || sessions.contains(row.session());
      boolean excluded =
          row.pid() == self || without.contains(row.pid()) || belowOthers.contains(row.pid());
      if (possible
          && !excluded
          && !found.contains(row.pid())
          && ProcessTable.hasVariable(row.pid(), mark)) {
        found.add(row.pid());
      }
    }
    attempt.group.ifPresent(group -> found.addAll(Cgroups.members(group)));
    List<Row> alive = new ArrayList<>();
    for (long pid : found) {
      table.find(pid).filter(Row::alive).ifPresent(alive::add);
    }
    return alive;
  }
}
