package dev.holdfast.cli.command;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Configuration;
import dev.holdfast.doctor.site.Expectation;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.plan.Outlook;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Would this node carry the job? What the doctor says of the node, and what this job needs of it:
 * open files, ports, locked memory, the way to the others, room for logs. Each answer that is not
 * good says what to do.
 */
final class Preflight {
  /**
   * One answer.
   *
   * @param detail what was found
   * @param fix what to do; empty when nothing is
   */
  record Item(String name, Outcome outcome, String detail, String fix) {
    static Item pass(String name, String detail) {
      return new Item(name, Outcome.PASS, detail, "");
    }

    static Item skip(String name, String why) {
      return new Item(name, Outcome.SKIP, why, "");
    }

    static Item warn(String name, String detail, String fix) {
      return new Item(name, Outcome.WARN, detail, fix);
    }

    static Item fail(String name, String detail, String fix) {
      return new Item(name, Outcome.FAIL, detail, fix);
    }
  }

  private final List<Item> items;

  Preflight(List<Item> items) {
    this.items = List.copyOf(items);
  }

  /** Looks at this machine. */
  static Preflight of(JobSpec spec) {
    List<Item> items = new ArrayList<>();
    items.add(Item.pass("program", spec.program().command().getFirst()));
    Limits limits = Limits.ofThisProcess();
    items.add(limits.openFiles(Outlook.of(spec).worldSize(), spec.team().hosted()));
    items.add(limits.lockedMemory());
    items.addAll(new Ways(spec).items());
    items.add(Room.of("log folder", Path.of(LogFolders.ofNode(spec))));
    if (!spec.watching().checkpointDir().isEmpty()) {
      items.add(Room.of("checkpoint folder", Path.of(spec.watching().checkpointDir())));
    }
    items.addAll(doctor());
    return new Preflight(items);
  }

  private static List<Item> doctor() {
    LiveExamination examination = LiveExamination.of(false);
    NodeView node = examination.node();
    List<Check> checks = SiteChecks.after(Checks.all(), node);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Site site =
        Configuration.load(
                examination.places().configuration(),
                checks.stream().map(Check::info).toList(),
                today)
            .site(Expectation.NONE, today);
    return of(examination.examine(node, checks, site, Level.PASSIVE));
  }

  /** The doctor's findings; only a fatal one says that the node must not join a run. */
  static List<Item> of(Report report) {
    List<Item> items = new ArrayList<>();
    for (Finding finding : report.findings()) {
      if (finding.severity().atLeast(Severity.WARNING)) {
        boolean fatal = finding.severity() == Severity.FATAL;
        String detail = finding.subject() + ": " + finding.summary();
        items.add(
            fatal
                ? Item.fail(finding.check(), detail, finding.remedy())
                : Item.warn(finding.check(), detail, finding.remedy()));
      }
    }
    items.add(
        Item.pass(
            "doctor",
            "%d checks passed, %d could not be made"
                .formatted(report.count(Outcome.PASS), report.count(Outcome.SKIP))));
    return items;
  }

  /** What would end the job, if anything: the names of what failed. */
  Optional<String> obstacle() {
    List<String> failed =
        items.stream().filter(item -> item.outcome == Outcome.FAIL).map(Item::name).toList();
    return failed.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", failed));
  }

  String table(Style style, int width) {
    StringBuilder out = new StringBuilder();
    for (Item item : items) {
      String word = "%-4s".formatted(item.outcome.word());
      String shown =
          switch (item.outcome) {
            case PASS -> style.green(word);
            case SKIP -> style.dim(word);
            case WARN -> style.yellow(word);
            case FAIL -> style.red(word);
          };
      String text = Wrap.hanging(word + "  " + item.name + ": " + item.detail, 6, width);
      out.append(shown).append(text.substring(word.length())).append('\n');
      if (!item.fix.isEmpty()) {
        out.append("      ").append(Wrap.hanging("do: " + item.fix, 10, width - 6)).append('\n');
      }
    }
    return out.toString();
  }

  Map<String, @Nullable Object> json() {
    return Json.map(
        "schema",
        "holdfast.preflight/1",
        "fit",
        obstacle().isEmpty(),
        "items",
        items.stream()
            .map(
                item ->
                    Json.map(
                        "name",
                        item.name,
                        "outcome",
                        item.outcome.word(),
                        "detail",
                        item.detail,
                        "fix",
                        item.fix.isEmpty() ? null : item.fix))
            .toList());
  }
}
