package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a rank was doing, read off its innermost frame that is known: stack-rules.tsv. */
public enum Place {
  /** Waits for other ranks. */
  COLLECTIVE("waits in a collective", true),
  STORE("waits at the store", true),
  BACKWARD("is in the backward pass, where gradients are reduced", true),
  DATA("loads data", false),
  LOCK("waits for a lock or another thread", false),
  CHECKPOINT("is busy with a checkpoint", false),
  DEVICE("waits for its device", false),
  FILE("is busy with a file", false),
  CONNECTION("waits at a connection of its own", false),
  COMPILE("compiles", false),
  SLEEP("sleeps", false),
  OWN_CODE("is in its own code", false),
  /** No signal reaches it. */
  STOPPED("is stopped", false),
  UNINTERRUPTIBLE("is stuck in the kernel", false),
  GONE("has ended", false),
  UNKNOWN("could not be looked at", false);

  private final String words;
  private final boolean waits;

  Place(String words, boolean waits) {
    this.words = words;
    this.waits = waits;
  }

  /** As a sentence about a rank goes on. */
  public String words() {
    return words;
  }

  /** Whether it is where a rank is that waits for another one. */
  public boolean waits() {
    return waits;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One row of the table: a frame, by function and file; * stands for any. */
  private record Rule(Place place, String function, String file) {
    boolean fits(String frame) {
      int at = frame.lastIndexOf('@');
      String name = at < 0 ? frame : frame.substring(0, at);
      String rest = at < 0 ? "" : frame.substring(at + 1);
      int colon = rest.lastIndexOf(':');
      String source = colon < 0 ? rest : rest.substring(0, colon);
      return fits(function, name) && fits(file, source);
    }

    private static boolean fits(String pattern, String text) {
      if (pattern.equals("*")) {
        return true;
      }
      if (pattern.endsWith("*")) {
        return text.startsWith(pattern.substring(0, pattern.length() - 1));
      }
      return text.equals(pattern);
    }
  }

  /** Read when first needed, behind the constants. */
  private static final class Rules {
    static final List<Rule> ALL =
        Table.read(
            Place.class,
            "stack-rules.tsv",
            row ->
                new Rule(row.word("place", Place.class), row.text("function"), row.text("file")));
  }

  /** The place a frame belongs to, if it says so. */
  public static Optional<Place> of(String frame) {
    return Rules.ALL.stream().filter(rule -> rule.fits(frame)).map(Rule::place).findFirst();
  }
}
