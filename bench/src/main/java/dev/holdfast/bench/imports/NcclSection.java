package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * One run of nccl-tests in a log that may hold several: its table, its ranks, its name. What a run
 * does not tell it has from the one before, unless a program began anew.
 */
final class NcclSection {
  private final List<NcclTests.Side> sides = new ArrayList<>();
  private final Map<String, List<Integer>> groups = new LinkedHashMap<>();
  private final Set<Collective> programs = new LinkedHashSet<>();
  private NcclTable table = NcclTable.PLAIN;
  private Optional<Collective> named = Optional.empty();

  /** Of the same program: another table. */
  NcclSection continued() {
    NcclSection next = new NcclSection();
    next.table = table;
    next.named = named;
    groups.forEach((group, ranks) -> next.groups.put(group, new ArrayList<>(ranks)));
    return next;
  }

  boolean hasRows() {
    return !sides.isEmpty();
  }

  void heading(String line) {
    table = NcclTable.of(line);
  }

  void row(String line, int number, LeftOut leftOut) {
    sides.addAll(table.read(line, number, leftOut));
  }

  void rank(String group, int rank) {
    groups.computeIfAbsent(group, unused -> new ArrayList<>()).add(rank);
  }

  void forgetRanks() {
    groups.clear();
  }

  void named(String name) {
    named = NcclTests.inName(name).or(() -> named);
  }

  /** A program that was called before the table. */
  void called(Set<Collective> names) {
    programs.addAll(names);
  }

  List<NetResult> results(Log log, Hints hints, List<String> notes) {
    NcclTests tests = new NcclTests(sides);
    boolean listed = hints.ranks().isEmpty() && !groups.isEmpty();
    OptionalInt ranks =
        listed && complete()
            ? OptionalInt.of(groups.values().iterator().next().size())
            : hints.ranks();
    if (listed && !complete()) {
      tests.ranksMissing("lists some of its ranks only, or several processes of one rank each");
    }
    List<NetResult> results =
        tests.results(
            hints
                .collective()
                .or(() -> named)
                .or(() -> programs.size() == 1 ? programs.stream().findFirst() : Optional.empty())
                .or(() -> NcclTests.inName(log.name())),
            ranks);
    notes.addAll(tests.notes());
    return results;
  }

  /** Whether all ranks from 0 on are there, each once. */
  private boolean complete() {
    List<Integer> all = groups.values().stream().flatMap(List::stream).toList();
    TreeSet<Integer> sorted = new TreeSet<>(all);
    return sorted.size() == all.size() && sorted.last() == all.size() - 1;
  }
}
