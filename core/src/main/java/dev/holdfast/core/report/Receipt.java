package dev.holdfast.core.report;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to where the reports of a source are durable; everything up to there may be forgotten.
 *
 * @param refused which of them the control plane did not take in, the first {@link #MOST_REFUSED}:
 *     they are acknowledged like the others, so that what follows them is heard
 */
public record Receipt(String source, long epoch, long sequence, List<Refused> refused) {
  public static final int MOST_REFUSED = 20;

  /**
   * A report that was not taken in.
   *
   * @param reason one word of a few
   * @param why the same for a person
   */
  public record Refused(long sequence, String reason, String why) {
    private Map<String, @Nullable Object> json() {
      return Json.map("sequence", sequence, "reason", reason, "why", why);
    }

    private static Refused of(Fields fields) {
      return new Refused(
          fields.number("sequence", 0), fields.text("reason", ""), fields.text("why", ""));
    }
  }

  public Receipt {
    refused = refused.stream().limit(MOST_REFUSED).toList();
  }

  public Receipt(String source, long epoch, long sequence) {
    this(source, epoch, sequence, List.of());
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "source",
        source,
        "epoch",
        epoch,
        "sequence",
        sequence,
        "refused",
        refused.isEmpty() ? null : refused.stream().map(Refused::json).toList());
  }

  public static Receipt of(Fields fields) {
    return new Receipt(
        fields.text("source"),
        fields.number("epoch"),
        fields.number("sequence"),
        fields.objects("refused").stream().map(Refused::of).toList());
  }
}
