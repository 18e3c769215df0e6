package dev.holdfast.control.entry;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of jobs. */
public sealed interface JobEntry extends Entry {
  record Told(JobDescription job, String source) implements JobEntry {
    @Override
    public String kind() {
      return "job.told";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("job", job.json(), "source", source);
    }
  }

  /** It is so far. */
  record Stepped(JobProgress progress) implements JobEntry {
    @Override
    public String kind() {
      return "job.stepped";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("progress", progress.json());
    }
  }

  /** A launcher of it is on a node, or is there no more. */
  record Here(String node, String job, String user, boolean here) implements JobEntry {
    @Override
    public String kind() {
      return "job.here";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("node", node, "job", job, "user", Entry.some(user), "here", here);
    }
  }

  /** Its launcher decided for it. */
  record Decided(String job, int attempt, String choice, String without, String why)
      implements JobEntry {
    @Override
    public String kind() {
      return "job.decided";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "job",
          job,
          "attempt",
          attempt,
          "choice",
          choice,
          "without",
          Entry.some(without),
          "why",
          why);
    }
  }

  static JobEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "job.told" -> new Told(JobDescription.of(fields.object("job")), fields.text("source"));
      case "job.here" ->
          new Here(
              fields.text("node"),
              fields.text("job"),
              fields.text("user", ""),
              fields.flag("here"));
      case "job.stepped" -> new Stepped(JobProgress.of(fields.object("progress")));
      case "job.decided" ->
          new Decided(
              fields.text("job"),
              fields.integer("attempt"),
              fields.text("choice"),
              fields.text("without", ""),
              fields.text("why"));
      default -> throw Entry.unknown(kind);
    };
  }
}
