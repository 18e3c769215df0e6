package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Tells events of the kernel log as findings: one for each rule and device, however many lines a
 * storm has, and milder when they are old.
 *
 * <p>A lockup of two weeks ago does not make a node unfit today, but nobody can tell it from the
 * log's text alone; so what happened longer ago than {@link #RECENT} is told one step of alarm
 * lower: fatal becomes a warning, anything milder is only worth knowing.
 */
public final class KernelStory {
  public static final Duration RECENT = Duration.ofHours(24);

  private static final int MAXIMUM_FINDINGS = 20;
  private static final String SOURCE = "kernel log";

  private final Examination exam;
  private final Function<KernelEvent, Subject> subject;
  private Function<KernelEvent, Severity> severity = KernelEvent::severity;
  private boolean ages = true;

  public KernelStory(Examination exam) {
    this.exam = exam;
    this.subject = _ -> exam.here();
  }

  private KernelStory(KernelStory other, Function<KernelEvent, Subject> subject) {
    this.exam = other.exam;
    this.subject = subject;
    this.severity = other.severity;
    this.ages = other.ages;
  }

  /** The device the event names becomes a part of this kind, such as {@code disk}. */
  public KernelStory about(String kind) {
    return new KernelStory(
        this,
        event -> event.device().isEmpty() ? exam.here() : exam.here().part(kind, event.device()));
  }

  /** How bad an event is here, where the table's word does not fit. */
  public KernelStory severity(Function<KernelEvent, Severity> judge) {
    severity = judge;
    return this;
  }

  /** For what does not heal with time. */
  public KernelStory neverAges() {
    ages = false;
    return this;
  }

  /** Tells them; says whether there was anything to tell. */
  public boolean tell(List<KernelEvent> events) {
    Map<String, List<KernelEvent>> groups = new LinkedHashMap<>();
    for (KernelEvent event : events) {
      String key = event.rule() + " " + event.device();
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(event);
    }
    groups.values().stream().limit(MAXIMUM_FINDINGS).forEach(this::tellOne);
    if (groups.size() > MAXIMUM_FINDINGS) {
      exam.skip(groups.size() - MAXIMUM_FINDINGS + " more kinds of kernel events are not told");
    }
    return !events.isEmpty();
  }

  private void tellOne(List<KernelEvent> same) {
    KernelEvent first = same.getFirst();
    KernelEvent last = same.getLast();
    int lines = same.stream().mapToInt(KernelEvent::count).sum();
    boolean old =
        ages
            && last.last()
                .map(time -> time.isBefore(exam.node().now().minus(RECENT)))
                .orElse(false);
    Severity worst = same.stream().map(severity).max(Severity::compareTo).orElse(first.severity());
    Draft draft =
        exam.draft(subject.apply(first), old ? aged(worst) : worst, summary(first, last, lines));
    draft.evidence(SOURCE, first.line());
    if (!last.line().equals(first.line())) {
      draft.evidence(SOURCE + ", last", last.line());
    }
    draft.row(first.proof());
    draft.since(first.first()).event().meaning(first.meaning()).remedy(first.remedy());
  }

  private String summary(KernelEvent first, KernelEvent last, int lines) {
    StringBuilder text = new StringBuilder(first.summary());
    if (!first.detail().isEmpty() && !first.summary().contains(first.detail())) {
      boolean processor =
          first.rule().startsWith("cpu.lockup") || first.rule().equals("cpu.thermal");
      text.append(processor ? " (processor " : " (").append(first.detail()).append(')');
    }
    if (lines > 1) {
      text.append(", ").append(lines).append(" lines");
    }
    last.last().map(this::ago).ifPresent(ago -> text.append(", last ").append(ago));
    return text.toString();
  }

  private String ago(Instant time) {
    Duration since = Duration.between(time, exam.node().now());
    return since.compareTo(Duration.ofSeconds(1)) < 0
        ? "just now"
        : Durations.show(since.truncatedTo(java.time.temporal.ChronoUnit.SECONDS)) + " ago";
  }

  private static Severity aged(Severity severity) {
    return severity == Severity.FATAL ? Severity.WARNING : Severity.INFO;
  }
}
