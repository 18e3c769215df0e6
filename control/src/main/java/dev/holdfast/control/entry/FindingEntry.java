package dev.holdfast.control.entry;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Of findings. */
public sealed interface FindingEntry extends Entry {
  /**
   * @param observed when the source learned of it
   * @param external the id of a fault told from outside, empty: a finding of our own
   * @param affects what else an outside fault touches
   * @param expires when an outside fault counts as over
   */
  record Raised(
      Finding finding,
      String source,
      long count,
      Instant observed,
      String external,
      List<Subject> affects,
      Optional<Instant> expires)
      implements FindingEntry {
    public Raised {
      affects = List.copyOf(affects);
    }

    @Override
    public String kind() {
      return "finding.raised";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "finding",
          FindingForm.json(finding),
          "source",
          source,
          "count",
          count == 1 ? null : count,
          "observed",
          Times.show(observed),
          "external",
          Entry.some(external),
          "affects",
          affects.isEmpty() ? null : affects.stream().map(Subject::toString).toList(),
          "expires",
          expires.map(Times::show).orElse(null));
    }
  }

  /** Whoever told it says that it still holds: it counts as over later than was known. */
  record Extended(String check, Subject subject, Instant expires, String why)
      implements FindingEntry {
    @Override
    public String kind() {
      return "finding.extended";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "check",
          check,
          "subject",
          subject.toString(),
          "expires",
          Times.show(expires),
          "why",
          why);
    }
  }

  record Cleared(String check, Subject subject, String why) implements FindingEntry {
    @Override
    public String kind() {
      return "finding.cleared";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("check", check, "subject", subject.toString(), "why", why);
    }
  }

  static FindingEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "finding.raised" ->
          new Raised(
              FindingForm.of(fields.object("finding")),
              fields.text("source"),
              fields.number("count", 1),
              Times.read(fields.text("observed")),
              fields.text("external", ""),
              fields.texts("affects").stream().map(Subject::parse).toList(),
              fields.optionalText("expires").map(Times::read));
      case "finding.extended" ->
          new Extended(
              fields.text("check"),
              Subject.parse(fields.text("subject")),
              Times.read(fields.text("expires")),
              fields.text("why", ""));
      case "finding.cleared" ->
          new Cleared(
              fields.text("check"), Subject.parse(fields.text("subject")), fields.text("why", ""));
      default -> throw Entry.unknown(kind);
    };
  }
}
