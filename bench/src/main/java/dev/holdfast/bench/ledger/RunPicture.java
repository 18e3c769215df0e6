package dev.holdfast.bench.ledger;

import dev.holdfast.core.network.NetLine;
import dev.holdfast.core.network.NetPicture;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs as one picture, with the conditions they were measured under. */
public final class RunPicture {
  private static final int MOST_HOSTS = 4;

  private RunPicture() {}

  /** SVG; an {@link IllegalArgumentException} where no result has a place in it. */
  public static String of(List<LedgerRun> runs) {
    Map<String, List<NetResult>> results = new LinkedHashMap<>();
    for (LedgerRun run : runs) {
      results.put(name(run), run.results());
    }
    List<String> print = new ArrayList<>();
    for (LedgerRun run : runs) {
      print.add((runs.size() > 1 ? name(run) + ": " : "") + measured(run));
      conditions(run, runs.getFirst()).ifPresent(print::add);
      run.notes().forEach(it -> print.add("Note: " + it));
    }
    return new NetPicture(title(runs), NetLine.of(results), print).svg();
  }

  private static String name(LedgerRun run) {
    return run.label().isEmpty() ? run.id() : run.label();
  }

  private static String title(List<LedgerRun> runs) {
    String what = each(runs, it -> it.collective().word());
    String ranks = each(runs, it -> Integer.toString(it.ranks()));
    String over =
        runs.stream()
            .map(it -> it.manifest().facts().getOrDefault("transport", ""))
            .filter(it -> !it.isEmpty())
            .distinct()
            .collect(Collectors.joining(" and "));
    return "%s, %s %s%s"
        .formatted(
            what,
            ranks,
            ranks.equals("1") ? "rank" : "ranks",
            over.isEmpty() ? "" : " over " + over);
  }

  private static String each(List<LedgerRun> runs, Function<NetResult, String> word) {
    return runs.stream()
        .flatMap(it -> it.results().stream())
        .map(word)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String measured(LedgerRun run) {
    Manifest manifest = run.manifest();
    StringBuilder text = new StringBuilder("Measured by ").append(run.tool());
    text.append(" at ").append(Times.show(run.time()));
    List<String> hosts = manifest.hosts();
    if (!hosts.isEmpty()) {
      text.append(" on ")
          .append(String.join(", ", hosts.subList(0, Math.min(MOST_HOSTS, hosts.size()))));
      text.append(hosts.size() > MOST_HOSTS ? " and " + (hosts.size() - MOST_HOSTS) + " more" : "");
    }
    for (Manifest.Nic nic : manifest.nics()) {
      text.append("; ").append(nic.words());
    }
    manifest.load().forEach(it -> text.append("; ").append(it.words()));
    return text.append('.').toString();
  }

  /** All of them for the first run, for another one only what differs. */
  private static Optional<String> conditions(LedgerRun run, LedgerRun first) {
    String words =
        run.equals(first)
            ? run.manifest().facts().entrySet().stream()
                // Options with paths of this machine: in the run itself, of no use on paper.
                .filter(it -> !it.getKey().equals("jvm"))
                .map(it -> it.getKey() + " " + it.getValue())
                .collect(Collectors.joining("; "))
            : first.manifest().differences(run.manifest()).stream()
                .map(it -> "%s %s, not %s".formatted(it[0], it[2], it[1]))
                .collect(Collectors.joining("; "));
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of((run.equals(first) ? "Conditions: " : "Differs: ") + words + ".");
  }
}
