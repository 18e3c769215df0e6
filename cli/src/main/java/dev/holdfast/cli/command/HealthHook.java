package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.doctor.report.HookReport;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Slurm health program does to its own node: drain it when it is bad, resume it when it is
 * good again.
 *
 * <p>Ownership: a node that is drained or down under a reason that does not start with our name is
 * somebody else's; it is never drained again, never resumed, never given another reason. A node we
 * drained returns only when the very check that is named in the reason passes now; a skip is not
 * enough.
 */
public final class HealthHook {
  private static final Duration DEADLINE = Duration.ofMillis(350);
  private static final Pattern STATE = Pattern.compile("\\bState=(\\S+)");
  private static final Pattern REASON =
      Pattern.compile("\\bReason=(.*?)(?: \\[[^\\]]*\\])?$", Pattern.MULTILINE);
  private static final Pattern OUR_CHECK =
      Pattern.compile("^" + HookReport.OWNER + " ([a-z0-9.]+)");

  private final Console console;
  private final boolean dryRun;
  private final String path;

  /**
   * Uses the scontrol found on this path; a health program starts with a bare environment, so the
   * usual folders are added.
   */
  public HealthHook(Console console, boolean dryRun, String path) {
    this.console = console;
    this.dryRun = dryRun;
    this.path = path + ":/usr/bin:/usr/local/bin:/opt/slurm/bin:/bin";
  }

  /** Drains, resumes or leaves the node of this report. */
  public void act(Report report, boolean bad, String reason) {
    CommandResult shown = scontrol("show", "node", report.node());
    if (!shown.succeeded()) {
      console.message("cannot ask Slurm about " + report.node() + ": " + why(shown));
      return;
    }
    String state = first(STATE, shown.output());
    String noted = first(REASON, shown.output()).strip();
    boolean drained = state.contains("DRAIN") || state.contains("FAIL") || state.contains("DOWN");
    if (bad && !drained) {
      change(report.node(), "state=drain", "reason=" + reason);
    } else if (!bad && state.contains("DRAIN") && mayResume(report, noted)) {
      change(report.node(), "state=resume");
    } else if (bad && !noted.startsWith(HookReport.OWNER)) {
      console.message("%s is %s already (%s): left alone".formatted(report.node(), state, noted));
    }
  }

  private static boolean mayResume(Report report, String noted) {
    Matcher ours = OUR_CHECK.matcher(noted);
    return ours.find()
        && report.results().stream()
            .filter(result -> result.info().id().equals(ours.group(1)))
            .anyMatch(result -> result.outcome() == Outcome.PASS);
  }

  private void change(String node, String... settings) {
    String words = "scontrol update nodename=" + node + " " + String.join(" ", settings);
    if (dryRun) {
      console.message("would run: " + words);
      return;
    }
    List<String> arguments = new ArrayList<>(List.of("update", "nodename=" + node));
    arguments.addAll(List.of(settings));
    CommandResult result = scontrol(arguments.toArray(String[]::new));
    console.message(result.succeeded() ? words : words + ": " + why(result));
  }

  /** {@code env} answers 127 when it does not find the program. */
  private static String why(CommandResult result) {
    return result.why().endsWith("exit code 127") ? "scontrol is not on the PATH" : result.why();
  }

  private CommandResult scontrol(String... arguments) {
    List<String> all = new ArrayList<>(List.of("/usr/bin/env", "scontrol"));
    all.addAll(List.of(arguments));
    return Command.of(all).within(DEADLINE).with("PATH", path).run();
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : "";
  }
}
