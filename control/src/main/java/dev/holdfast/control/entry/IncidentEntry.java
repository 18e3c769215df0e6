package dev.holdfast.control.entry;

import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of incidents. */
public sealed interface IncidentEntry extends Entry {
  String incident();

  /**
   * @param source whose finding it was, empty: an earlier version did not say
   */
  record Opened(String incident, Cause cause, String title, String source)
      implements IncidentEntry {
    @Override
    public String kind() {
      return "incident.opened";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "incident",
          incident,
          "cause",
          cause.toString(),
          "title",
          title,
          "source",
          Entry.some(source));
    }
  }

  /** A finding shares the incident's cause. */
  record Joined(String incident, String check, Subject subject) implements IncidentEntry {
    @Override
    public String kind() {
      return "incident.joined";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("incident", incident, "check", check, "subject", subject.toString());
    }
  }

  /** Jobs use what failed: those that run there when it is found, and those that come later. */
  record Hurt(String incident, List<String> jobs) implements IncidentEntry {
    public Hurt {
      jobs = List.copyOf(jobs);
    }

    @Override
    public String kind() {
      return "incident.hurt";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("incident", incident, "jobs", jobs);
    }
  }

  /** Several incidents turn out to have one cause; the others are part of this one from now on. */
  record Widened(String incident, Cause cause, List<String> absorbed, String title)
      implements IncidentEntry {
    public Widened {
      absorbed = List.copyOf(absorbed);
    }

    @Override
    public String kind() {
      return "incident.widened";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "incident", incident, "cause", cause.toString(), "absorbed", absorbed, "title", title);
    }
  }

  record Closed(String incident, String why) implements IncidentEntry {
    @Override
    public String kind() {
      return "incident.closed";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("incident", incident, "why", why);
    }
  }

  static IncidentEntry of(String kind, Fields fields) {
    String incident = fields.text("incident");
    return switch (kind) {
      case "incident.opened" ->
          new Opened(
              incident,
              Cause.of(fields.text("cause")),
              fields.text("title"),
              fields.text("source", ""));
      case "incident.joined" ->
          new Joined(incident, fields.text("check"), Subject.parse(fields.text("subject")));
      case "incident.hurt" -> new Hurt(incident, fields.texts("jobs"));
      case "incident.widened" ->
          new Widened(
              incident,
              Cause.of(fields.text("cause")),
              fields.texts("absorbed"),
              fields.text("title"));
      case "incident.closed" -> new Closed(incident, fields.text("why"));
      default -> throw Entry.unknown(kind);
    };
  }
}
