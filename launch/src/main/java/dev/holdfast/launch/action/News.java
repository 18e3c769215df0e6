package dev.holdfast.launch.action;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a run, for whoever is told of it.
 *
 * @param folder the run directory
 */
public record News(
    ActionSpec.Event event,
    Instant at,
    String job,
    int attempt,
    String folder,
    @Nullable Diagnosis diagnosis,
    @Nullable Decision decision) {
  private static final int LONGEST = 2_000;

  /** One line. */
  public String subject() {
    String what =
        diagnosis != null ? diagnosis.what() : decision != null ? decision.why() : event.word();
    return oneLine("holdfast: " + job + ", attempt " + attempt + ": " + what);
  }

  /** A document of schema holdfast.news/1. */
  public Map<String, @Nullable Object> json() {
    return Json.map(
        "schema",
        "holdfast.news/1",
        "event",
        event.word(),
        "at",
        Times.show(at),
        "job",
        job,
        "attempt",
        attempt,
        "folder",
        folder,
        "diagnosis",
        diagnosis == null ? null : diagnosis.json(),
        "decision",
        decision == null ? null : decision.json());
  }

  /** What a command finds in its environment. */
  public Map<String, String> environment() {
    Map<String, String> names = new TreeMap<>();
    names.put("HOLDFAST_EVENT", event.word());
    names.put("HOLDFAST_JOB", oneLine(job));
    names.put("HOLDFAST_ATTEMPT", String.valueOf(attempt));
    names.put("HOLDFAST_RUN_DIR", folder);
    if (diagnosis != null) {
      names.put("HOLDFAST_CLASS", diagnosis.kind().word());
      names.put("HOLDFAST_NODE", oneLine(diagnosis.node()));
      names.put("HOLDFAST_RANKS", Ranks.show(diagnosis.ranks()));
      names.put("HOLDFAST_STEP", String.valueOf(diagnosis.step()));
      names.put("HOLDFAST_WHAT", oneLine(diagnosis.what()));
    }
    if (decision != null) {
      names.put("HOLDFAST_DECISION", oneLine(decision.why()));
    }
    return names;
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
  }
}
