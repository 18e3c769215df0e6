package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The communication benchmarks of DeepSpeed and of EleutherAI's cookbook.
 *
 * <p>Their throughput of an all_reduce counts every byte twice and their bandwidths are in Gb/s
 * unless asked otherwise, so only the elements and the duration are taken, and bandwidths are
 * computed from those. The size of an all_gather is one rank's there, the whole here.
 */
final class DeepSpeed implements Importer {
  private static final Pattern TITLE =
      Pattern.compile("---- Performance of (\\w+) on (\\d+) devices ---");
  private static final Pattern ROW =
      Pattern.compile(
          "(?:^|\\s)([0-9.]+(?: ?[KMGTPEZY]?B)?)\\s+(\\d+)x(\\d+)\\s+([0-9.]+)( us| ms)?"
              + "\\s+([0-9.]+)\\s+([0-9.]+)\\s*$");

  private static final Pattern BEGUN =
      Pattern.compile("(?:^|\\s)[0-9.]+(?: ?[KMGTPEZY]?B)?\\s+\\d+x\\d*(?:\\s|$)");

  @Override
  public String name() {
    return "deepspeed";
  }

  @Override
  public boolean recognises(Log log) {
    return TITLE.matcher(log.text()).find();
  }

  @Override
  public Imported read(Log log, Hints hints) {
    List<NetResult> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Optional<Collective> collective = Optional.empty();
    int ranks = 2;
    double bits = 8;
    LeftOut leftOut = new LeftOut();
    int number = 0;
    for (String line : log.lines()) {
      number++;
      Matcher title = TITLE.matcher(line);
      Matcher row = ROW.matcher(line);
      if (title.find()) {
        String word = title.group(1);
        collective = Collective.named(word);
        if (collective.isEmpty()) {
          notes.add("rows of " + word + " are left out: no such collective is known");
        }
        ranks = Integer.parseInt(title.group(2));
      } else if (line.contains("BusBW (")) {
        bits = line.contains("BusBW (GBps)") ? 1 : 8;
      } else if (collective.isPresent() && row.find()) {
        if (Figures.orNaN(row.group(4)) > 0) {
          results.add(result(collective.get(), ranks, row, bits, notes));
        } else {
          leftOut.impossible(number);
        }
      } else if (collective.isPresent() && BEGUN.matcher(line).find()) {
        leftOut.line(number, "not all of its columns can be read (was it cut off?)");
      }
    }
    notes.addAll(leftOut.notes());
    if (results.stream().anyMatch(it -> it.collective() == Collective.ALL_REDUCE)) {
      notes.add(
          "algbw is not the throughput printed, which counts every byte of an all_reduce twice");
    }
    return new Imported(name(), results, Map.of(), notes);
  }

  private static NetResult result(
      Collective collective, int ranks, Matcher row, double bits, List<String> notes) {
    long elements = Long.parseLong(row.group(2));
    int width = Integer.parseInt(row.group(3));
    double seconds =
        Figures.orNaN(row.group(4)) * (" ms".equals(row.group(5)) ? 1e-3 : Figures.MICRO);
    long bytes = elements * width * (collective == Collective.ALL_GATHER ? ranks : 1);
    NetResult result =
        Figures.timed(collective, "", bytes, ranks, width + "-byte", Latency.ofMean(seconds));
    double printed = Figures.orNaN(row.group(7)) / bits;
    if (!Figures.agrees(result.busbw(), printed)) {
      notes.add(
          "%d bytes: size and time make a busbw of %s GB/s, printed is %s"
              .formatted(bytes, Figures.two(result.busbw()), Figures.two(printed)));
    }
    return result;
  }
}
