package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A signal that ends processes: {@code signals.tsv}. */
public record Signal(int number, String name, String meaning, String remedy, String source) {
  private static final List<Signal> ENTRIES = Table.read(Signal.class, "signals.tsv", Signal::of);

  /** A shell says so much more for a command that a signal ended. */
  public static final int SHELL = 128;

  private static Signal of(Table.Row row) {
    return new Signal(
        row.whole("number"),
        row.text("name"),
        row.text("meaning"),
        row.text("remedy"),
        row.text("source"));
  }

  public static List<Signal> entries() {
    return ENTRIES;
  }

  public static Optional<Signal> find(int number) {
    return ENTRIES.stream().filter(entry -> entry.number == number).findFirst();
  }

  /** By its name, with or without {@code SIG}. */
  public static Optional<Signal> find(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    return ENTRIES.stream()
        .filter(entry -> entry.name.equals(wanted) || entry.name.equals("SIG" + wanted))
        .findFirst();
  }
}
