package dev.holdfast.doctor.check;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.history.Change;
import dev.holdfast.doctor.history.Counters;
import dev.holdfast.doctor.kernel.KernelEvents;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of one check: what it may look at, and where it puts its answers.
 *
 * <p>Answers add up: the worst finding decides, a pass for one part and a skip for another is a
 * pass, and a check that said nothing at all is skipped ("nothing of this kind on the node").
 */
public final class Examination {
  private final CheckInfo info;
  private final NodeView node;
  private final Accelerators accelerators;
  private final KernelEvents kernel;
  private final Counters counters;
  private final Site site;
  private final List<Draft> drafts = new ArrayList<>();
  private final List<String> passes = new ArrayList<>();
  private final List<String> skips = new ArrayList<>();

  public Examination(
      CheckInfo info,
      NodeView node,
      Accelerators accelerators,
      KernelEvents kernel,
      Counters counters,
      Site site) {
    this.info = info;
    this.node = node;
    this.accelerators = accelerators;
    this.kernel = kernel;
    this.counters = counters;
    this.site = site;
  }

  public NodeView node() {
    return node;
  }

  /** The GPUs and NPUs of the node, whatever their maker. */
  public Accelerators accelerators() {
    return accelerators;
  }

  /** What the kernel's log says, decoded once for all checks. */
  public KernelEvents kernel() {
    return kernel;
  }

  /** What the site says of its nodes: expected inventory, overrides. */
  public Site site() {
    return site;
  }

  /** The node itself as a subject. */
  public Subject.Node here() {
    return new Subject.Node(node.name());
  }

  /** The check's threshold of this name, as the site may have set it. */
  public double limit(String name) {
    Limit limit =
        info.limits().stream()
            .filter(candidate -> candidate.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(info.id() + " has no limit " + name));
    return site.limit(info.id(), node.name(), accelerators, limit);
  }

  /**
   * Notes a counter's present value and says how much it grew over {@code window}, or since the
   * last run where that is longer ago; empty when there is no earlier sample of this boot. A
   * counter that became smaller was reset and has grown by its present value.
   */
  public Optional<Change> change(String counter, long value, Duration window) {
    return counters.observe(counter, value, window);
  }

  /** The answer for a rate or a flap when no earlier sample exists. */
  public void needsHistory() {
    skip(Counters.NEEDS_HISTORY);
  }

  public void pass(String detail) {
    passes.add(detail);
  }

  public void skip(String why) {
    if (!skips.contains(why)) {
      skips.add(why);
    }
  }

  public Draft info(Subject subject, String summary) {
    return draft(subject, Severity.INFO, summary);
  }

  public Draft warning(Subject subject, String summary) {
    return draft(subject, Severity.WARNING, summary);
  }

  public Draft degraded(Subject subject, String summary) {
    return draft(subject, Severity.DEGRADED, summary);
  }

  public Draft fatal(Subject subject, String summary) {
    return draft(subject, Severity.FATAL, summary);
  }

  public Draft draft(Subject subject, Severity severity, String summary) {
    Draft draft = new Draft(info, subject, severity, summary);
    drafts.add(draft);
    return draft;
  }

  /** A finding about an accelerator, which is proven no further than what we know of its maker. */
  public Draft draft(Accelerator device, Severity severity, String summary) {
    return draft(device.subject(), severity, summary).proof(device.proof());
  }

  /** What the check answered, once it has run. */
  public CheckResult result(Duration took) {
    List<Finding> findings = drafts.stream().map(draft -> draft.finish(info)).toList();
    return CheckResult.of(info, findings, passes, skips, took);
  }
}
