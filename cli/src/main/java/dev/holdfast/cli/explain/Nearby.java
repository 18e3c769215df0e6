package dev.holdfast.cli.explain;

import dev.holdfast.core.forensics.ErrorNumber;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.KernelRule;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.network.CompletionStatus;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.check.CheckInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What comes near a text nothing is known of: a name it may be mistyped from, or words it shares.
 */
final class Nearby {
  private static final int MOST = 3;
  private static final int SHOWN = 48;
  private static final int LONGEST_NAME = 40;
  private static final Set<String> COMMON =
      Set.of(
          "the", "and", "not", "was", "with", "from", "that", "this", "for", "are", "has", "had",
          "have", "does", "did", "what", "error", "failed", "can", "cannot", "could", "node", "gpu",
          "gpus", "rank", "ranks", "its", "nothing", "known", "of", "is", "no");

  private record Entry(String name, String what, Set<String> words) {
    static Entry of(String name, String what) {
      return new Entry(name, what, Nearby.words(name + " " + what));
    }
  }

  private Nearby() {}

  /** To put behind a message; empty: nothing comes near. */
  static String hint(String asked, List<CheckInfo> checks) {
    List<Entry> entries = entries(checks);
    if (asked.length() <= LONGEST_NAME) {
      String mistyped = Nearest.hint(asked, entries.stream().map(Entry::name).toList());
      if (!mistyped.isEmpty()) {
        return mistyped;
      }
    }
    Set<String> words = words(asked);
    int enough = Math.min(2, words.size());
    List<Entry> near =
        entries.stream()
            .filter(entry -> enough > 0 && shared(entry, words) >= enough)
            .sorted(Comparator.comparingLong((Entry entry) -> -shared(entry, words)))
            .limit(MOST)
            .toList();
    return near.isEmpty()
        ? ""
        : "; near it: "
            + near.stream()
                .map(entry -> entry.name + " (" + Wrap.cut(entry.what, SHOWN) + ")")
                .collect(Collectors.joining(", "));
  }

  private static long shared(Entry entry, Set<String> words) {
    return words.stream()
        .filter(word -> entry.words.stream().anyMatch(it -> alike(it, word)))
        .count();
  }

  /** {@code remapper} and {@code remapped}. */
  private static boolean alike(String one, String other) {
    int stem = Math.max(5, Math.min(one.length(), other.length()) - 2);
    return one.equals(other)
        || one.length() >= stem && other.length() >= stem && one.regionMatches(0, other, 0, stem);
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", 400))
        .filter(word -> word.length() > 2 && !COMMON.contains(word))
        .filter(word -> !word.matches("[0-9]+"))
        .collect(Collectors.toSet());
  }

  private static List<Entry> entries(List<CheckInfo> checks) {
    List<Entry> all = new ArrayList<>();
    checks.forEach(info -> all.add(Entry.of(info.id(), info.question())));
    XidCatalogue.entries().forEach(it -> all.add(Entry.of("xid " + it.code(), it.name())));
    SxidCatalogue.entries().forEach(it -> all.add(Entry.of("sxid " + it.code(), it.name())));
    FailureRules.all().forEach(it -> all.add(Entry.of(it.id(), it.meaning())));
    KernelRule.entries().forEach(it -> all.add(Entry.of(it.id(), it.summary())));
    Signal.entries().forEach(it -> all.add(Entry.of(it.name(), it.meaning())));
    CompletionStatus.entries().forEach(it -> all.add(Entry.of(it.name(), it.meaning())));
    ErrorNumber.entries().forEach(it -> all.add(Entry.of(it.name(), it.text())));
    return all;
  }
}
