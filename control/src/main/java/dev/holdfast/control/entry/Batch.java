package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.List;

/** Entries that became durable together, and when they were decided by the writer's clock. */
public record Batch(Instant at, List<Entry> entries) {
  public Batch {
    entries = List.copyOf(entries);
  }

  public String line() {
    return Json.line(
        Json.map("at", Times.show(at), "entries", entries.stream().map(Entry::tree).toList()));
  }

  public static Batch of(String line) {
    Fields fields = Fields.of("journal", Json.object(line));
    return new Batch(
        Times.read(fields.text("at")), fields.objects("entries").stream().map(Entry::of).toList());
  }
}
