package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.Selection;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.KernelLogChecks;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.contract.Contracts;
import dev.holdfast.doctor.inventory.Inventory;
import dev.holdfast.doctor.node.KernelLogNode;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.report.HookReport;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Configuration;
import dev.holdfast.doctor.site.Expectation;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.doctor.snapshot.KernelLogFile;
import dev.holdfast.os.place.Places;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Is this node fit to join a run, and if not, what is wrong and how is it fixed? */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Examine this node: what is wrong, the evidence, the fix.",
    footer = {
      "",
      "Exit codes: 0 no finding at --fail-on or above, 1 at least one, 2 wrong usage, 3 could not",
      "run. Severities: info, warning, degraded, fatal. A skipped check never counts as passed.",
      "",
      "Examples:",
      "  holdfast doctor                          this node, now",
      "  holdfast doctor --all --only gpu,nic     every answer of two groups",
      "  holdfast doctor --from node.zip          a node recorded elsewhere",
      "  holdfast doctor --from dmesg.log         a kernel log alone",
      "  holdfast doctor --compare snapshots/     many recorded nodes: the odd one out",
      "  holdfast doctor -w gpu[001-250]          many nodes, one merged answer",
      "  holdfast doctor --hook prolog            for a scheduler: one line, two seconds",
    })
final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = {"--level", "-r"},
      paramLabel = "LEVEL",
      converter = LevelConverter.class,
      description = "passive (1), quick (2) or full (3). Default: passive.")
  private Level level = Level.PASSIVE;

  @Option(
      names = "--from",
      paramLabel = "SNAPSHOT|DIR|LOG",
      description = "Examine a recorded node, or only a kernel log, instead of this node.")
  private @Nullable Path from;

  @Option(
      names = "--kernel-log",
      paramLabel = "FILE",
      description =
          "Read the node's kernel log from this file: dmesg, journalctl -k, syslog; .gz, too.")
  private @Nullable Path kernelLog;

  @Option(
      names = {"-w", "--nodes"},
      paramLabel = "HOSTLIST",
      description = "Ask these nodes over srun or ssh and merge their answers.")
  private @Nullable String nodes;

  @Option(
      names = "--compare",
      arity = "1..*",
      paramLabel = "SNAPSHOT|DIR",
      description = "Compare many recorded nodes: which one is not like the others, and in what.")
  private List<String> compare = List.of();

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ID",
      completionCandidates = CheckNames.class,
      description = "Run only these checks; a group such as gpu selects all of it.")
  private List<String> only = List.of();

  @Option(
      names = "--skip",
      split = ",",
      paramLabel = "ID",
      completionCandidates = CheckNames.class,
      description = "Leave these checks out.")
  private List<String> skip = List.of();

  @Option(
      names = "--expect",
      paramLabel = "FILE",
      description = "Compare the node with this expected inventory (see --learn).")
  private @Nullable Path expect;

  @Option(names = "--learn", description = "Write this node's inventory as a file for --expect.")
  private boolean learn;

  @Option(
      names = "--contract",
      paramLabel = "PLATFORM",
      description =
          "Is this image fit for sagemaker, azureml, modelarts or k8s? Runs only those checks.")
  private @Nullable String contract;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      description = "Exit 1 at fatal, degraded or warning. Default: degraded; with --hook: fatal.")
  private @Nullable Severity failOn;

  @Option(
      names = "--hook",
      paramLabel = "KIND",
      description =
          "For schedulers: prolog, epilog or health. One line, at most 2 s; health drains the node"
              + " itself, unless somebody else did.")
  private @Nullable Hook hook;

  @Option(
      names = "--dry-run",
      description = "With --hook health: say what would be done to the node, do nothing.")
  private boolean dryRun;

  @Option(
      names = "--accept",
      paramLabel = "PROOF",
      description =
          "With --hook: hardware, recorded or documented; what must be proven so far at least to"
              + " decide. Default: checks that are recorded; rows of tables do not count.")
  private @Nullable Proof accept;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, json, jsonl, junit or prometheus. Default: table.")
  private ReportFormat format = ReportFormat.TABLE;

  @Option(names = "--all", description = "List every check, not only what is wrong.")
  private boolean all;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "10",
      paramLabel = "SECONDS",
      description = "Examine again and again, every 10 s unless told otherwise.")
  private @Nullable Integer watch;

  DoctorCommand(Console console) {
    this.console = console;
  }

  /** What calls us. */
  enum Hook {
    PROLOG,
    EPILOG,
    HEALTH
  }

  @Override
  public Integer call() throws InterruptedException {
    if (kernelLog != null && (nodes != null || !compare.isEmpty())) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--kernel-log is of one node: it goes with --from or alone");
    }
    if (!compare.isEmpty()) {
      return new CompareNodes(console, format).run(compare);
    }
    Severity threshold =
        failOn != null ? failOn : hook != null ? Severity.FATAL : Severity.DEGRADED;
    if (nodes != null) {
      return new FleetRun(console, nodes).doctor(remoteWords(), format, threshold);
    }
    if (learn) {
      NodeView node = node();
      if (alone(node)) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE, "--learn needs a node: a kernel log alone holds no inventory");
      }
      console.answer(Expectation.learn(Inventory.of(node, new Accelerators(node))));
      return 0;
    }
    if (hook != null) {
      return runHook(hook, threshold);
    }
    if (watch == null) {
      return tell(examine(), threshold);
    }
    while (!console.out().failed()) {
      Report report = examine();
      if (format == ReportFormat.TABLE) {
        console.clear();
      }
      tell(report, threshold);
      Thread.sleep(Duration.ofSeconds(Math.max(1, watch)));
    }
    return 0; // nobody reads it any more, which is told where all commands end
  }

  /** The options that mean something over there. */
  private List<String> remoteWords() {
    List<String> words = new ArrayList<>(List.of("--level", level.word()));
    if (!only.isEmpty()) {
      words.addAll(List.of("--only", String.join(",", only)));
    }
    if (!skip.isEmpty()) {
      words.addAll(List.of("--skip", String.join(",", skip)));
    }
    return words;
  }

  private NodeView node() {
    NodeView node =
        from == null ? LiveExamination.of(hook != null).node() : KernelLogFile.open(from);
    return kernelLog == null ? node : KernelLogNode.of(node, KernelLogFile.text(kernelLog));
  }

  private static boolean alone(NodeView node) {
    return node instanceof KernelLogNode log && log.alone();
  }

  /** Of a log alone only those that read it are asked. */
  private List<Check> asked(NodeView node) {
    List<Check> known =
        contract == null ? SiteChecks.after(Checks.all(), node) : Contracts.of(contract);
    return alone(node) ? KernelLogChecks.of(known, KernelLogNode.ALONE) : known;
  }

  private Report examine() {
    NodeView node = node();
    List<Check> known = asked(node);
    List<Check> checks = Selection.of(known, only, skip);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Configuration configuration =
        Configuration.load(
            Places.ofThisProcess().configuration(),
            known.stream().map(Check::info).toList(),
            today);
    Site site =
        configuration.site(expect == null ? Expectation.NONE : Expectation.read(expect), today);
    Report report;
    if (from == null) {
      report = LiveExamination.of(hook != null).examine(node, checks, site, level);
    } else {
      Duration enough = Duration.ofSeconds(30);
      report = new Doctor(checks, site, enough, enough).examine(node, level).report();
    }
    report = alone(node) ? report.skippedBecause(KernelLogNode.ALONE) : report;
    return report.withNotes(configuration.notes());
  }

  private int tell(Report report, Severity threshold) {
    format.write(report, console, all);
    return report.failsOn(threshold) ? 1 : 0;
  }

  /**
   * One line, and exit code 1 only for a finding that decides. A broken configuration or a defect
   * of ours must not drain a cluster, so anything else that goes wrong is said and exits 0.
   */
  private int runHook(Hook caller, Severity threshold) {
    Report report;
    try {
      report = examine();
    } catch (HoldfastException e) {
      console.answer(HookReport.OWNER + " not examined: " + e.code().code() + "\n");
      console.message(e.code().code() + " " + e.detail());
      return 0;
    } catch (RuntimeException e) {
      console.answer(HookReport.OWNER + " not examined: " + ErrorCode.DEFECT.code() + "\n");
      console.message(ErrorCode.DEFECT.code() + " " + e);
      return 0;
    }
    Accept accepted = accept == null ? Accept.UNSAID : Accept.of(accept);
    boolean bad = !HookReport.deciding(report, threshold, accepted).isEmpty();
    String reason = HookReport.reason(report, threshold, accepted);
    console.answer(reason + "\n");
    if (caller == Hook.HEALTH) {
      new HealthHook(console, dryRun, System.getenv().getOrDefault("PATH", ""))
          .act(report, bad, reason);
    }
    return bad ? 1 : 0;
  }
}
