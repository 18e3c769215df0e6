package dev.holdfast.core.report;

import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Words;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the control plane asks of an agent or a launcher; it is fetched, never pushed. Whoever
 * carries it out does so once for an {@code id} and answers with that id.
 *
 * @param job whose launcher is asked; empty: the agent itself is
 * @param attempt the attempt of the job that is meant, −1: whichever runs
 * @param until an answer after this is worth nothing
 */
public record Request(
    String id,
    Kind kind,
    Subject subject,
    List<String> checks,
    String job,
    int attempt,
    String why,
    Instant until) {

  /** What can be asked. */
  public enum Kind {
    /** Run these checks on the subject now and report what they say. */
    VERIFY,
    /** Start the program that serves the subject again: a daemon, a fabric manager. */
    RESTART_PROCESS,
    RESET_DEVICE,
    /** To a launcher: use that node no more from the next attempt on. */
    AVOID_NODE,
    /** To a launcher: end the attempt once the next checkpoint is complete, and go on without. */
    STOP_AT_CHECKPOINT,
    RESTART_JOB,
    /** To an agent: let no new job begin here, where it has the means to. */
    CORDON,
    UNCORDON,
    /** To a scheduler: keep jobs off the node while it is verified, whoever opens its door. */
    RESERVE,
    /** To a scheduler: what {@link #RESERVE} asked for is over. */
    RELEASE,
    /** To who told a fault from outside: does it still hold? Done means that it does. */
    CONFIRM;

    /** Whether it is the launcher of a job that is asked. */
    public boolean ofLauncher() {
      return this == AVOID_NODE || this == STOP_AT_CHECKPOINT || this == RESTART_JOB;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Kind of(String word) {
      return Words.read("the request", word, Kind.class);
    }
  }

  public Request {
    checks = List.copyOf(checks);
  }

  /** Of an agent. */
  public Request(
      String id, Kind kind, Subject subject, List<String> checks, String why, Instant until) {
    this(id, kind, subject, checks, "", -1, why, until);
  }

  /** Of a launcher, whichever attempt runs. */
  public Request(
      String id,
      Kind kind,
      Subject subject,
      List<String> checks,
      String job,
      String why,
      Instant until) {
    this(id, kind, subject, checks, job, -1, why, until);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "id",
        id,
        "kind",
        kind.word(),
        "subject",
        subject.toString(),
        "checks",
        checks,
        "job",
        job.isEmpty() ? null : job,
        "attempt",
        attempt < 0 ? null : attempt,
        "why",
        why,
        "until",
        Times.show(until));
  }

  public static Request of(Fields fields) {
    return new Request(
        fields.text("id"),
        Kind.of(fields.text("kind")),
        Subject.parse(fields.text("subject")),
        fields.texts("checks"),
        fields.text("job", ""),
        fields.integer("attempt", -1),
        fields.text("why", ""),
        Times.read(fields.text("until")));
  }
}
