package dev.holdfast.doctor;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.check.ActiveCheck;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.check.Restoration;
import dev.holdfast.doctor.history.Counters;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.kernel.KernelEvents;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs checks over one node and collects their answers.
 *
 * <p>This is where time is owned: each check runs on a virtual thread, with a deadline of its own
 * and one for all together, so that checks which wait for a slow library do not hold up those which
 * only read files. A check that does not answer is a skip with that reason; its thread is left
 * behind and dies with the process, because a read that hangs in the kernel cannot be interrupted.
 */
public final class Doctor {
  private final List<Check> checks;
  private final Site site;
  private final Duration checkDeadline;
  private final Duration totalDeadline;

  public Doctor(List<Check> checks, Site site, Duration checkDeadline, Duration totalDeadline) {
    this.checks = List.copyOf(checks);
    this.site = site;
    this.checkDeadline = checkDeadline;
    this.totalDeadline = totalDeadline;
  }

  /** A report, and the counters to keep for the next run. */
  public record Visit(Report report, History history) {}

  public Visit examine(NodeView node, Level level) {
    List<String> notes = new ArrayList<>();
    return examine(node, level, history(node, notes), notes);
  }

  /** The same for whoever looks again and again and keeps the counters itself. */
  public Visit examine(NodeView node, Level level, History history) {
    return examine(node, level, history, new ArrayList<>());
  }

  private Visit examine(NodeView node, Level level, History history, List<String> notes) {
    long start = System.nanoTime();
    Accelerators accelerators = new Accelerators(node);
    KernelEvents kernel = new KernelEvents(node);
    Counters counters = new Counters(history, node.now(), bootId(node));
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("check-", 0).factory());
    try {
      List<Check> passive = new ArrayList<>();
      List<ActiveCheck> active = new ArrayList<>();
      for (Check check : checks) {
        if (!level.includes(check.info().level())) {
          continue;
        }
        if (check instanceof ActiveCheck load) {
          active.add(load);
        } else {
          passive.add(check);
        }
      }
      List<Future<CheckResult>> futures = new ArrayList<>();
      for (Check check : passive) {
        futures.add(threads.submit(() -> run(check, node, accelerators, kernel, counters)));
      }
      List<CheckResult> results = new ArrayList<>();
      for (int i = 0; i < passive.size(); i++) {
        results.add(await(passive.get(i).info(), futures.get(i), left(start)));
      }
      for (ActiveCheck check : active) {
        var future = threads.submit(() -> run(check, node, accelerators, kernel, counters));
        results.add(await(check.info(), future, check.deadline()));
      }
      if (level != Level.PASSIVE && active.isEmpty()) {
        notes.add("no active checks are built in yet: only passive ones were run");
      }
      results.replaceAll(result -> soften(result, node, accelerators));
      Report report = new Report(node.name(), node.now(), level, results, notes, since(start));
      return new Visit(report, counters.next());
    } finally {
      threads.shutdownNow();
    }
  }

  private CheckResult run(
      Check check,
      NodeView node,
      Accelerators accelerators,
      KernelEvents kernel,
      Counters counters) {
    long start = System.nanoTime();
    Examination exam = new Examination(check.info(), node, accelerators, kernel, counters, site);
    Restoration settings =
        new Restoration(check instanceof ActiveCheck active ? active.touches() : List.of());
    try {
      check.run(exam);
    } catch (Unavailable e) {
      exam.skip(e.reason());
    } finally {
      settings.restore(exam);
    }
    return exam.result(since(start));
  }

  /** A passive check's own deadline, or what is left of the whole run's. */
  private Duration left(long start) {
    Duration left = totalDeadline.minus(since(start));
    return left.compareTo(checkDeadline) < 0 ? left : checkDeadline;
  }

  private static CheckResult await(CheckInfo info, Future<CheckResult> future, Duration wait) {
    try {
      return future.get(Math.max(0, wait.toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      future.cancel(true);
      return CheckResult.skipped(info, "did not answer before its deadline", wait);
    } catch (ExecutionException e) {
      String what = String.valueOf(e.getCause());
      return CheckResult.skipped(info, "the check itself failed (HF-1901): " + what, wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CheckResult.skipped(info, "interrupted", wait);
    }
  }

  private CheckResult soften(CheckResult result, NodeView node, Accelerators accelerators) {
    if (result.findings().isEmpty() || site.overrides().isEmpty()) {
      return result;
    }
    List<Finding> findings =
        result.findings().stream()
            .map(
                finding ->
                    site.softening(finding, node.name(), accelerators)
                        .map(entry -> Site.soften(finding, entry))
                        .orElse(finding))
            .toList();
    Outcome outcome = Outcome.PASS;
    for (Finding finding : findings) {
      outcome = outcome.worse(finding.severity().outcome());
    }
    return new CheckResult(
        result.info(),
        outcome,
        findings.getFirst().summary(),
        findings,
        result.took(),
        result.partial());
  }

  private static History history(NodeView node, List<String> notes) {
    try {
      return node.probe("history").text().map(History::parse).orElse(History.EMPTY);
    } catch (IllegalArgumentException e) {
      notes.add("the kept counters are damaged and were left aside: " + e.getMessage());
      return History.EMPTY;
    }
  }

  private static String bootId(NodeView node) {
    return node.text("/proc/sys/kernel/random/boot_id").orElse("unknown");
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
