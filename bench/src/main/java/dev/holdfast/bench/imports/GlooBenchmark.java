package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * gloo's own benchmark, of every version.
 *
 * <p>What it prints as GB/s is GiB/s, over all threads together; it is taken where it has three
 * digits, else size and median make the bandwidth. Versions before 2021 name the algorithm in a
 * line of its own and print elements and no size: an element is then taken as four bytes, which is
 * checked where bandwidths are printed. Later ones have the name in capitals under a line of equals
 * signs. How many bytes were moved, {@link GlooAlgorithm} knows.
 */
final class GlooBenchmark implements Importer {
  private static final Pattern ALGORITHM = Pattern.compile("^\\s*Algorithm:\\s+(\\S+)");
  private static final Pattern RULE = Pattern.compile("^\\s*={20,}\\s*$");
  private static final Pattern BANNER = Pattern.compile("^\\s*([A-Z][A-Z0-9_]*)\\s*$");
  private static final Pattern DEVICE = Pattern.compile("^\\s*Device:\\s+(.*\\S)");
  private static final Pattern ONE_OF_DEVICES = Pattern.compile("^\\s*- (.*\\S)");
  private static final Pattern OPTIONS = Pattern.compile("^\\s*Options:\\s+(.*)");
  private static final Pattern ROW = Pattern.compile("\\s*\\d{1,18}(?:\\s+[-+0-9.e]+)*\\s*");

  @Override
  public String name() {
    return "gloo";
  }

  @Override
  public boolean recognises(Log log) {
    List<String> lines = log.lines();
    return lines.stream().anyMatch(GlooBenchmark::isHeading)
        && lines.stream().anyMatch(it -> ALGORITHM.matcher(it).find() || it.contains("size (B)"));
  }

  private static boolean isHeading(String line) {
    return line.contains("elements") && line.contains("p50 (");
  }

  @Override
  public Imported read(Log log, Hints hints) {
    return new Reading(hints).read(log);
  }

  /** One file, line by line. */
  private static final class Reading {
    private final Hints hints;
    private final List<String> notes = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<GlooTable> tables = new ArrayList<>();
    private final Map<String, String> about = new LinkedHashMap<>();
    private final LeftOut leftOut = new LeftOut();
    private @Nullable GlooTable table;
    private String algorithm = "";
    private Map<String, Integer> options = Map.of();
    private boolean underRule;

    Reading(Hints hints) {
      this.hints = hints;
    }

    Imported read(Log log) {
      int number = 0;
      for (String line : log.lines()) {
        number++;
        if (RULE.matcher(line).matches()) {
          table = null;
          underRule = true;
        } else if (table != null && ROW.matcher(line).matches()) {
          table.row(line, number, leftOut, notes);
        } else if (!line.isBlank()) {
          heading(line);
          underRule = false;
        }
      }
      if (tables.isEmpty() && !refused.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", refused));
      }
      List<NetResult> results = tables.stream().flatMap(it -> it.results().stream()).toList();
      refused.forEach(it -> notes.add("a table is left out: " + it));
      notes.addAll(leftOut.notes());
      return new Imported("gloo", results, about, notes);
    }

    private void heading(String line) {
      Matcher named = ALGORITHM.matcher(line);
      Matcher banner = BANNER.matcher(line);
      Matcher device = DEVICE.matcher(line);
      Matcher oneOf = ONE_OF_DEVICES.matcher(line);
      Matcher chosen = OPTIONS.matcher(line);
      if (named.find()) {
        algorithm = named.group(1);
      } else if (underRule && banner.find()) {
        algorithm = banner.group(1);
      } else if (underRule && line.strip().equals("VERIFY ERRORS") && !tables.isEmpty()) {
        tables.getLast().lastWasWrong(leftOut);
      } else if (device.find()) {
        about.put("device", device.group(1));
      } else if (line.strip().equals("Devices:")) {
        about.put("device", "");
      } else if (oneOf.find() && about.containsKey("device")) {
        about.merge("device", oneOf.group(1), (all, one) -> all.isEmpty() ? one : all + "; " + one);
      } else if (chosen.find()) {
        options = options(chosen.group(1));
      } else if (isHeading(line)) {
        begin(line);
      }
    }

    private void begin(String heading) {
      table = null;
      String name =
          algorithm.isEmpty() ? hints.collective().map(Collective::word).orElse("") : algorithm;
      if (name.isEmpty()) {
        throw new IllegalArgumentException(
            "does not tell which algorithm was measured: give --collective NAME");
      }
      GlooAlgorithm known;
      try {
        known = GlooAlgorithm.named(name);
      } catch (IllegalArgumentException unknown) {
        refused.add(String.valueOf(unknown.getMessage()));
        return;
      }
      int ranks = hints.ranks().orElse(options.getOrDefault("processes", 0));
      if (ranks < 1) {
        ranks = hints.needRanks("does not tell its processes");
      }
      table = new GlooTable(known, ranks, options, heading);
      tables.add(table);
    }

    private static Map<String, Integer> options(String text) {
      Map<String, Integer> options = new LinkedHashMap<>();
      for (String part : text.split(",\\s*")) {
        String[] pair = part.strip().split("=", 2);
        if (pair.length == 2 && pair[1].length() < 10 && Figures.isWhole(pair[1])) {
          options.put(pair[0], Integer.parseInt(pair[1]));
        }
      }
      return options;
    }
  }
}
