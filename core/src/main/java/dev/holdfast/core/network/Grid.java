package dev.holdfast.core.network;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Several settings at the same sizes: which is best at each? */
public record Grid(List<Setting> settings) {
  public Grid {
    settings = List.copyOf(settings);
  }

  /** What was measured under one setting, which is told in words. */
  public record Setting(String words, List<NetResult> results) {
    public Setting {
      results = List.copyOf(results);
    }

    Optional<NetResult> at(long bytes) {
      return results.stream().filter(it -> it.bytes() == bytes).findFirst();
    }
  }

  public Set<Long> sizes() {
    return settings.stream()
        .flatMap(it -> it.results().stream())
        .map(NetResult::bytes)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The setting with the highest median at a size. */
  public Setting best(long bytes) {
    return settings.stream()
        .filter(it -> it.at(bytes).isPresent())
        .max(Comparator.comparingDouble(it -> it.at(bytes).orElseThrow().bandwidth()))
        .orElseThrow();
  }

  /** Whether its rounds overlap with those of the best, so that it may be as good. */
  boolean perhaps(NetResult result) {
    NetResult best = best(result.bytes()).at(result.bytes()).orElseThrow();
    return !result.equals(best) && result.interval().high() >= best.interval().low();
  }

  /** Bus bandwidths; a star marks the best of each size, a tilde what may be as good. */
  public String table(Style style) {
    List<String> heading = new ArrayList<>(List.of("busbw in GB/s"));
    sizes().forEach(it -> heading.add(Bytes.of(it) + "  "));
    Columns table =
        new Columns(
            IntStream.range(1, heading.size()).boxed().collect(Collectors.toSet()),
            heading.toArray(String[]::new));
    for (Setting setting : settings) {
      List<String> cells = new ArrayList<>(List.of(setting.words()));
      for (long size : sizes()) {
        cells.add(setting.at(size).map(it -> cell(setting, it)).orElse("-  "));
      }
      table.add(cells);
    }
    return table.text(style);
  }

  private String cell(Setting setting, NetResult result) {
    String mark = best(result.bytes()).equals(setting) ? "*" : perhaps(result) ? "~" : " ";
    return NetText.bandwidth(result.bandwidth()) + " " + mark;
  }

  /** Which setting is best from which size to which. */
  public String words() {
    List<String> parts = new ArrayList<>();
    List<Long> sizes = List.copyOf(sizes());
    for (int i = 0; i < sizes.size(); ) {
      Setting best = best(sizes.get(i));
      int last = i;
      while (last + 1 < sizes.size() && best(sizes.get(last + 1)).equals(best)) {
        last++;
      }
      String range =
          last == i
              ? Bytes.of(sizes.get(i)).toString()
              : Bytes.of(sizes.get(i)) + " to " + Bytes.of(sizes.get(last));
      parts.add(best.words() + " at " + range);
      i = last + 1;
    }
    boolean unclear =
        settings.stream().flatMap(it -> it.results().stream()).anyMatch(this::perhaps);
    return "Best here: "
        + String.join("; ", parts)
        + "."
        + (unclear ? " What has a tilde may be as good: the rounds do not tell." : "");
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "settings",
        settings.stream()
            .map(
                setting ->
                    Json.map(
                        "setting",
                        setting.words(),
                        "results",
                        setting.results().stream().map(NetResult::tree).toList()))
            .toList(),
        "best",
        sizes().stream()
            .map(
                size ->
                    Json.map(
                        "bytes",
                        size,
                        "setting",
                        best(size).words(),
                        "perhaps",
                        settings.stream()
                            .filter(it -> it.at(size).map(this::perhaps).orElse(false))
                            .map(Setting::words)
                            .toList()))
            .toList(),
        "verdict",
        words());
  }
}
