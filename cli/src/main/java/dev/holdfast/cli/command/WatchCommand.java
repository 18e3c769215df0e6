package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.launch.watch.AttachedRank;
import dev.holdfast.launch.watch.Attachment;
import dev.holdfast.launch.watch.HangRule;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.launch.watch.StragglerDetector;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Watch ranks that were started by something else. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Watch ranks that something else started: who hangs, who holds the others up.",
    footer = {
      "",
      "Nothing is changed, and without --on-hang dump nothing is sent to them. Ends with 0 when all",
      "ranks have ended, with 1 when a hang was found and --once is given.",
      "",
      "Examples:",
      "  holdfast watch --slurm-job 4711               the job's ranks on this node",
      "  holdfast watch --pid 1201,1202,1203,1204 --hang 20m",
      "  holdfast watch --slurm-job 4711 --once --on-hang dump --format json",
    })
final class WatchCommand implements Callable<Integer> {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration EVIDENCE = Duration.ofSeconds(3);

  /** What to do when a hang is found. */
  enum OnHang {
    NOTIFY,
    DUMP
  }

  /** Whom to watch. */
  static final class Whom {
    @Option(
        names = "--pid",
        split = ",",
        paramLabel = "PID",
        description =
            "These processes; ranks are what RANK says in their environment, else the order.")
    private List<Long> pids = List.of();

    @Option(
        names = "--slurm-job",
        paramLabel = "ID",
        description = "The ranks of this Slurm job on this node.")
    private @Nullable String slurmJob;
  }

  private final Console console;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Whom whom = new Whom();

  @Option(
      names = "--hang",
      paramLabel = "RULE",
      description =
          "auto, auto:SECONDS (least time quiet), a duration without progress, or off."
              + " Default: auto.")
  private String hang = "auto";

  @Option(
      names = "--on-hang",
      paramLabel = "ACTION",
      description =
          "notify: say it; dump: also ask ranks that offer it for their Python stacks. Default:"
              + " notify.")
  private OnHang onHang = OnHang.NOTIFY;

  @Option(names = "--once", description = "End with 1 at the first hang.")
  private boolean once;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, or json: one object a line. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  private final Set<Integer> toldStragglers = new HashSet<>();

  WatchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<AttachedRank> ranks = find();
    HangRule rule = rule();
    console.message("watching %s; hang: %s".formatted(names(ranks), rule));
    try (Attachment attachment = new Attachment(ranks, rule)) {
      while (!console.out().failed()) {
        for (Diagnosis found : attachment.look(System.nanoTime())) {
          boolean dump = onHang == OnHang.DUMP && found.kind() == FailureClass.HANG;
          List<ProcEvidence.Seen> evidence =
              found.kind() == FailureClass.HANG ? attachment.evidence(EVIDENCE, dump) : List.of();
          tell(found, evidence);
          if (once && found.kind() == FailureClass.HANG) {
            return 1;
          }
        }
        attachment.stragglers().forEach(this::tell);
        if (attachment.ended()) {
          console.message("all ranks have ended");
          return 0;
        }
        Thread.sleep(EVERY);
      }
      return 0; // nobody reads it any more, which is told where all commands end
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private HangRule rule() {
    try {
      return HangRule.parse(hang);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--hang: " + wrong.getMessage(), wrong);
    }
  }

  private List<AttachedRank> find() {
    try {
      List<AttachedRank> ranks =
          whom.slurmJob == null
              ? AttachedRank.ofPids(whom.pids)
              : AttachedRank.ofSlurmJob(whom.slurmJob);
      if (ranks.isEmpty()) {
        throw new HoldfastException(
            ErrorCode.NO_JOB,
            "no process of Slurm job "
                + whom.slurmJob
                + " on this node that you may look at carries RANK or SLURM_PROCID");
      }
      return ranks;
    } catch (IllegalArgumentException gone) {
      throw new HoldfastException(ErrorCode.NO_JOB, String.valueOf(gone.getMessage()), gone);
    }
  }

  private static String names(List<AttachedRank> ranks) {
    List<String> names =
        ranks.stream()
            .limit(8)
            .map(rank -> "rank %d (%s, %d)".formatted(rank.rank(), rank.name(), rank.pid()))
            .toList();
    return String.join(", ", names)
        + (ranks.size() > 8 ? " and " + (ranks.size() - 8) + " more" : "");
  }

  private void tell(Diagnosis found, List<ProcEvidence.Seen> evidence) {
    if (format == TableOrJson.JSON) {
      line(
          "diagnosis",
          found.json(),
          "seen",
          evidence.stream().map(ProcEvidence.Seen::json).toList());
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append("%s  %s: %s%n".formatted(now(), found.kind().word(), found.what()));
    found.evidence().forEach(fact -> text.append("    %s%n".formatted(fact)));
    for (ProcEvidence.Seen seen : evidence) {
      text.append("  rank %d%n".formatted(seen.rank()));
      seen.lines().forEach(fact -> text.append("    %s%n".formatted(fact)));
      if (!seen.stacks().isEmpty()) {
        seen.stacks().lines().limit(60).forEach(at -> text.append("      %s%n".formatted(at)));
      } else if (onHang == OnHang.DUMP) {
        text.append("    no Python stacks: %s%n".formatted(seen.noStacks()));
      }
    }
    console.answer(text.toString());
  }

  private void tell(StragglerDetector.Straggler straggler) {
    if (!toldStragglers.add(straggler.rank())) {
      return;
    }
    if (format == TableOrJson.JSON) {
      line(
          "straggler",
          Map.of("rank", straggler.rank(), "share", straggler.share()),
          "text",
          straggler.text());
    } else {
      console.answer("%s  straggler: %s%n".formatted(now(), straggler.text()));
    }
  }

  private void line(String first, Object one, String second, Object two) {
    console.answer(
        Json.line(Json.map("schema", "holdfast.watch/1", "time", now(), first, one, second, two))
            + "\n");
  }

  private static String now() {
    return Times.show(Instant.now());
  }
}
