package dev.holdfast.core.report;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One thing a source can say. The text form is a JSON object with its {@code kind}. */
public sealed interface Statement {
  /** More than that nobody counts; so sums of counts stay numbers. */
  long MOST_COUNT = 1_000_000_000;

  /** The kind's word in JSON, such as {@code raised}. */
  String kind();

  /** The fields beside the kind. */
  Map<String, @Nullable Object> json();

  /**
   * A condition begins or changes, or an event happened.
   *
   * @param count how many alike this one stands for: storms are folded where they arise
   */
  record Raised(Finding finding, long count) implements Statement {
    public Raised {
      count = Math.clamp(count, 1, MOST_COUNT);
    }

    @Override
    public String kind() {
      return "raised";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("finding", FindingForm.json(finding), "count", count == 1 ? null : count);
    }
  }

  /** A condition holds no more, and the check that said so looked again: silence clears nothing. */
  record Cleared(String check, Subject subject, String why) implements Statement {
    @Override
    public String kind() {
      return "cleared";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("check", check, "subject", subject.toString(), "why", why);
    }
  }

  /** What the node is. */
  record Described(NodeDescription node) implements Statement {
    @Override
    public String kind() {
      return "described";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("node", node.json());
    }
  }

  /**
   * How a node is to its scheduler.
   *
   * @param again whether it is the first word after the scheduler could not be asked for a while
   */
  record Scheduled(SchedulerNode node, boolean again) implements Statement {
    @Override
    public String kind() {
      return "scheduled";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("node", node.json(), "again", again ? true : null);
    }
  }

  /** Reports that could not be kept until the control plane was back. */
  record Lost(long count, Instant from, Instant until) implements Statement {
    public Lost {
      count = Math.clamp(count, 0, MOST_COUNT);
    }

    @Override
    public String kind() {
      return "lost";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("count", count, "from", Times.show(from), "until", Times.show(until));
    }
  }

  /** How a job is. */
  record JobTold(JobDescription job) implements Statement {
    @Override
    public String kind() {
      return "job";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("job", job.json());
    }
  }

  /** How far a job is that was told of before. */
  record JobStepped(JobProgress progress) implements Statement {
    @Override
    public String kind() {
      return "jobStepped";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("progress", progress.json());
    }
  }

  /** A launcher decided for its own job. */
  record JobDecided(String job, int attempt, String choice, String without, String why)
      implements Statement {
    @Override
    public String kind() {
      return "jobDecided";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "job", job, "attempt", attempt, "choice", choice, "without", without, "why", why);
    }
  }

  /**
   * A launcher of a job is on the node that says so, or is there no more. Its leader tells which
   * nodes a job has; each of those nodes says so itself, or it is only claimed.
   */
  record JobHere(String job, String user, boolean here) implements Statement {
    @Override
    public String kind() {
      return "jobHere";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("job", job, "user", user, "gone", here ? null : true);
    }
  }

  /** What came of a request. */
  record Answered(String request, Answer answer, String detail) implements Statement {
    @Override
    public String kind() {
      return "answered";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("request", request, "answer", answer.word(), "detail", detail);
    }
  }

  /**
   * A fault somebody else knows of: storage, switch, facility, cloud.
   *
   * @param id names the fault at its source
   * @param affects what it touches; the finding's subject is the thing itself
   * @param expires when it counts as over unless it is said again
   */
  record External(
      String id,
      Assertion assertion,
      Finding finding,
      List<Subject> affects,
      Optional<Instant> expires)
      implements Statement {
    /** Whether it begins, ends, or happened once. */
    public enum Assertion {
      OCCUR,
      RECOVER,
      ONCE;

      public String word() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    public External {
      affects = List.copyOf(affects);
    }

    @Override
    public String kind() {
      return "external";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "id",
          id,
          "assertion",
          assertion.word(),
          "finding",
          FindingForm.json(finding),
          "affects",
          affects.stream().map(Subject::toString).toList(),
          "expires",
          expires.map(Times::show).orElse(null));
    }
  }

  /**
   * Something a later version can say. It is counted and left aside: refusing it would keep all
   * that its source says after it waiting for ever.
   */
  record Unknown(String kind) implements Statement {
    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map();
    }
  }

  /**
   * Something that cannot be taken: a field is missing or wrong, or more is in it than may be. It
   * is refused by itself, so that its source can go on.
   *
   * @param kind what it was to be, in the words of who said it
   */
  record Refused(String kind, String reason) implements Statement {
    private static final int MOST_KIND = 100;
    private static final int MOST_REASON = 300;

    public Refused {
      kind = Wrap.cut(kind, MOST_KIND);
      reason = Wrap.cut(reason, MOST_REASON);
    }

    static Refused of(Fields fields, IllegalArgumentException wrong) {
      String kind = fields.tree().get("kind") instanceof String word ? word : "";
      return new Refused(kind, String.valueOf(wrong.getMessage()));
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("refused", reason);
    }
  }

  /** How a request ended. */
  enum Answer {
    DONE,
    FAILED,
    /** Not allowed, not known, or not possible here. */
    REFUSED,
    /** Nobody can tell whether it took effect. */
    UNKNOWN;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** So long a name may be, and so long the text of a subject. */
  int MOST_NAME = 253;

  int MOST_SUBJECT = 1_000;

  /** An external fault touches so many things at most. */
  int MOST_AFFECTED = 1_000;

  private static String named(String job) {
    Subject.requireName(job);
    return job;
  }

  /** Refuses names that nothing has: they would stand in everything that is said of it. */
  private static Statement bounded(Statement statement) {
    switch (statement) {
      case Raised raised -> bounded(raised.finding());
      case Cleared cleared -> {
        requireShort("the check", cleared.check(), MOST_NAME);
        requireShort("the subject", cleared.subject().toString(), MOST_SUBJECT);
      }
      case JobTold told -> {
        requireShort("the job", told.job().job(), MOST_NAME);
        requireShort("the user", told.job().user(), MOST_NAME);
      }
      case JobDecided decided -> requireShort("the job", decided.job(), MOST_NAME);
      case JobHere here -> {
        requireShort("the job", here.job(), MOST_NAME);
        requireShort("the user", here.user(), MOST_NAME);
      }
      case External external -> {
        bounded(external.finding());
        requireShort("the id", external.id(), MOST_NAME);
        external
            .affects()
            .forEach(it -> requireShort("what it affects", it.toString(), MOST_SUBJECT));
        if (external.affects().size() > MOST_AFFECTED) {
          throw new IllegalArgumentException("it affects more than " + MOST_AFFECTED + " things");
        }
      }
      default -> {
        // Its names are those of things that are known, or bounded by what holds them.
      }
    }
    return statement;
  }

  private static void bounded(Finding finding) {
    requireShort("the check", finding.check(), MOST_NAME);
    requireShort("the subject", finding.subject().toString(), MOST_SUBJECT);
  }

  private static void requireShort(String what, String name, int most) {
    if (name.length() > most) {
      throw new IllegalArgumentException(
          "%s has a name of %,d letters; %,d are allowed".formatted(what, name.length(), most));
    }
  }

  /** The statement in the fields of a report. */
  static Statement of(Fields fields) {
    return bounded(read(fields));
  }

  private static Statement read(Fields fields) {
    return switch (fields.text("kind")) {
      case "raised" ->
          new Raised(FindingForm.of(fields.object("finding")), fields.number("count", 1));
      case "cleared" ->
          new Cleared(
              fields.text("check"), Subject.parse(fields.text("subject")), fields.text("why", ""));
      case "described" -> new Described(NodeDescription.of(fields.object("node")));
      case "scheduled" ->
          new Scheduled(SchedulerNode.of(fields.object("node")), fields.flag("again"));
      case "lost" ->
          new Lost(
              fields.number("count"),
              Times.read(fields.text("from")),
              Times.read(fields.text("until")));
      case "job" -> new JobTold(JobDescription.told(fields.object("job")));
      case "jobStepped" -> new JobStepped(JobProgress.of(fields.object("progress")));
      case "jobDecided" ->
          new JobDecided(
              named(fields.text("job")),
              fields.integer("attempt"),
              fields.text("choice"),
              fields.text("without", ""),
              fields.text("why"));
      case "jobHere" ->
          new JobHere(named(fields.text("job")), fields.text("user", ""), !fields.flag("gone"));
      case "answered" ->
          new Answered(
              fields.text("request"),
              fields.word("answer", Answer.class),
              fields.text("detail", ""));
      case "external" ->
          new External(
              fields.text("id"),
              fields.word("assertion", External.Assertion.class),
              FindingForm.of(fields.object("finding")),
              fields.texts("affects").stream().map(Subject::parse).toList(),
              fields.optionalText("expires").map(Times::read));
      default -> new Unknown(fields.text("kind"));
    };
  }
}
