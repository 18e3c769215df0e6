package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of how far Holdfast can be trusted. */
public sealed interface TrustEntry extends Entry {
  /**
   * The counters stand like this, whatever the entries before it gave: it is written where old
   * decisions are forgotten, behind those that are kept.
   */
  record Counted(
      long drains, long wrongDrains, long interruptions, long wrongKills, long wrongAdvice)
      implements TrustEntry {
    @Override
    public String kind() {
      return "trust.counted";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "drains",
          drains,
          "wrongDrains",
          wrongDrains,
          "interruptions",
          interruptions,
          "wrongKills",
          wrongKills,
          "wrongAdvice",
          wrongAdvice);
    }
  }

  static TrustEntry of(String kind, Fields fields) {
    if (!kind.equals("trust.counted")) {
      throw Entry.unknown(kind);
    }
    return new Counted(
        fields.number("drains", 0),
        fields.number("wrongDrains", 0),
        fields.number("interruptions", 0),
        fields.number("wrongKills", 0),
        fields.number("wrongAdvice", 0));
  }
}
