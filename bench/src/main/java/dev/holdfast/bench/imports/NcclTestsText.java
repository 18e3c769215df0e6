package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables nccl-tests prints, of every version: with and without a root, with an error or a count
 * of wrong values, with columns of single iterations, with timestamps, with other output between,
 * of several runs one after the other.
 */
final class NcclTestsText implements Importer {
  private static final Pattern RANK =
      Pattern.compile(
          "#\\s+Rank\\s+(\\d{1,6})\\s+(?:Group\\s+(\\d+)\\s+)?Pid\\s+\\d+\\s+on\\s+(\\S+)\\s+device"
              + "\\s+\\d+\\s+\\[[^\\]]*\\]\\s*(.*)");
  private static final Pattern NAMED =
      Pattern.compile("Collective test (?:starting|concluded):\\s*(\\S+)");
  private static final Pattern VERSION =
      Pattern.compile("# nccl-tests version (\\S+).*nccl-library=(\\d+)");
  private static final Pattern BEGINNING =
      Pattern.compile("# (?:nThread|nccl-tests version|Collective test starting)");
  private static final Pattern PROGRAM =
      Pattern.compile("\\b([a-z]+(?:_[a-z]+)*)_perf(?:_mpi)?\\b");

  @Override
  public String name() {
    return "nccl-tests";
  }

  @Override
  public boolean recognises(Log log) {
    return log.lines().stream().anyMatch(NcclTable::isHeading);
  }

  @Override
  public Imported read(Log log, Hints hints) {
    LeftOut leftOut = new LeftOut();
    List<NcclSection> sections = new ArrayList<>(List.of(new NcclSection()));
    Set<Collective> called = new LinkedHashSet<>();
    Set<String> hosts = new LinkedHashSet<>();
    Map<String, String> about = new LinkedHashMap<>();
    int number = 0;
    for (String raw : log.lines()) {
      number++;
      String line = raw.stripLeading();
      NcclSection last = sections.getLast();
      if (!line.startsWith("#")) {
        if (NcclTable.isRow(line)) {
          last.called(called);
          called.clear();
          last.row(line, number, leftOut);
        } else {
          PROGRAM
              .matcher(line)
              .results()
              .forEach(it -> NcclTests.inName(it.group(1)).ifPresent(called::add));
        }
        continue;
      }
      Matcher rank = RANK.matcher(line);
      Matcher named = NAMED.matcher(line);
      Matcher version = VERSION.matcher(line);
      if (BEGINNING.matcher(line).find() && last.hasRows()) {
        sections.add(new NcclSection());
      }
      if (NcclTable.isHeading(line)) {
        section(sections).heading(line);
      } else if (rank.find()) {
        if (last.hasRows()) {
          section(sections).forgetRanks();
        }
        String group = rank.group(2) == null ? "" : rank.group(2);
        sections.getLast().rank(group, Integer.parseInt(rank.group(1)));
        hosts.add(rank.group(3));
        about.put("device", rank.group(4).strip());
      } else if (named.find()) {
        sections.getLast().named(named.group(1));
      } else if (version.find()) {
        about.put("ncclTests", version.group(1));
        about.put("nccl", version.group(2));
      }
    }
    if (!hosts.isEmpty()) {
      about.put("hosts", String.join(",", hosts));
    }
    List<String> notes = new ArrayList<>();
    List<NetResult> results = new ArrayList<>();
    sections.forEach(it -> results.addAll(it.results(log, hints, notes)));
    notes.addAll(leftOut.notes());
    return new Imported(name(), results, about, notes);
  }

  /** The last one, or the next where that has its rows. */
  private static NcclSection section(List<NcclSection> sections) {
    if (sections.getLast().hasRows()) {
      sections.add(sections.getLast().continued());
    }
    return sections.getLast();
  }
}
