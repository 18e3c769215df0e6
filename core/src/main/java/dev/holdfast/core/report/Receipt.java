package dev.holdfast.core.report;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Up to where the reports of a source are durable; everything up to there may be forgotten. */
public record Receipt(String source, long epoch, long sequence) {
  public Map<String, @Nullable Object> json() {
    return Json.map("source", source, "epoch", epoch, "sequence", sequence);
  }

  public static Receipt of(Fields fields) {
    return new Receipt(fields.text("source"), fields.number("epoch"), fields.number("sequence"));
  }
}
