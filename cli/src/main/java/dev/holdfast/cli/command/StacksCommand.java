package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.stacks.StackSvg;
import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.forensics.stacks.StatDot;
import dev.holdfast.core.text.Durations;
import dev.holdfast.launch.forensics.StackFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where are all the ranks, and who is somewhere else? */
@Command(
    name = "stacks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Merge the stacks of all ranks into one tree and show who is where.",
    footer = {
      "",
      "Of processes that run (--pid, --job): state, wait and system call from /proc always; Python by the",
      "fault handler that `holdfast run` gives its ranks (a signal, sent only to who offered to answer",
      "it), else by py-spy; Java by its own jcmd; with --native all threads by gdb or cuda-gdb, which",
      "stop each process while they read its symbols. Who cannot be read is in the tree with the reason.",
      "",
      "Kept ones (--from): a folder holds one file for each rank, whose name ends with the rank:",
      "rank_12.txt, stack.3. In it are stacks as Python's fault handler, py-spy dump, gdb or jcmd write",
      "them; several of one rank (threads, samples) are merged. A file is STAT's .dot, the hang.json of a",
      "run, or JSON:  {\"traces\": [{\"rank\": 0, \"frames\": [\"main\", \"step@train.py:12\"]}]}",
      "",
      "Examples:",
      "  holdfast stacks --job slurm-4711",
      "  holdfast stacks --job slurm-4711 -w gpu[001-250]    the whole job, from the login node",
      "  holdfast stacks --pid 1201,1202,1203 --samples 5 --interval 2s    who moves, who stands still",
      "  holdfast stacks --pid 1201 --native",
      "  holdfast stacks --from stacks/ --svg tree.svg --dot tree.dot",
      "  holdfast stacks --from stat_results/app.0001/00_app.0001.3D.dot --format json",
      "  holdfast stacks --from stacks/ --format folded | flamegraph.pl > flame.svg",
    })
final class StacksCommand implements Callable<Integer> {
  private static final int MOST_SAMPLES = 1000;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** Whose stacks. */
  static final class Whose {
    @Option(names = "--from", paramLabel = "DIR|FILE", description = "Stacks that were kept.")
    private @Nullable Path from;

    @Option(
        names = "--pid",
        split = ",",
        paramLabel = "PID",
        description =
            "These processes; ranks are what RANK says in their environment, else the order.")
    private List<Long> pids = List.of();

    @Option(
        names = "--job",
        paramLabel = "JOB|RUNDIR",
        description =
            "The ranks of a run of `holdfast run` on this machine: its name or the end of it, or its"
                + " folder. Its launcher is asked.")
    private @Nullable String job;
  }

  private final Console console;

  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Whose whose = new Whose();

  @Option(
      names = {"-w", "--nodes"},
      paramLabel = "HOSTLIST",
      description = "The ranks of --job on these nodes, over srun or ssh.")
  private @Nullable String nodes;

  @Option(names = "--samples-as-json", hidden = true, description = "For another machine.")
  private boolean asSamples;

  @Option(
      names = "--native",
      description = "Also what is below Python and Java, by a debugger, which stops them shortly.")
  private boolean nativeToo;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Look so often; who moved is on several branches. Default: 1.")
  private int samples = 1;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      description = "From one sample to the next. Default: 1s.")
  private String interval = "1s";

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "The longest a sample may take. Default: 10s, with --native 60s.")
  private @Nullable String within;

  @Option(
      names = "--dot",
      paramLabel = "FILE",
      description = "Also write the tree as STAT does; - for stdout instead of the answer.")
  private @Nullable String dot;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draw the tree into this file; - for stdout instead of the answer.")
  private @Nullable String svg;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "tree, json or folded (for flame graphs). Default: tree.")
  private Format format = Format.TREE;

  /** How the answer is written. */
  enum Format {
    TREE,
    JSON,
    FOLDED
  }

  StacksCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (whose.from != null) {
      return kept(whose.from);
    }
    LiveStacks live =
        new LiveStacks(
            console,
            new LiveStacks.Wish(nativeToo, samples(), time("--interval", interval), within()));
    StackTree tree = sampled(live);
    if (asSamples) {
      console.answer(live.line());
      return 0;
    }
    live.tellMissing();
    if (!pictures(tree)) {
      console.answer(
          switch (format) {
            case TREE -> live.text(tree);
            case JSON -> live.json(tree);
            case FOLDED -> StackText.folded(tree);
          });
    }
    return 0;
  }

  private StackTree sampled(LiveStacks live) throws InterruptedException {
    if (nodes != null) {
      if (whose.job == null) {
        throw new ParameterException(spec.commandLine(), "-w needs --job: a pid is of one machine");
      }
      return live.ofFleet(whose.job, nodes);
    }
    return whose.job == null ? live.ofPids(whose.pids) : live.ofJob(whose.job);
  }

  private int kept(Path from) {
    if (nativeToo || samples != 1 || within != null || nodes != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--native, --samples, --within and -w need processes: --pid or --job");
    }
    StackFolder read = read(from);
    StackTree tree = read.tree();
    read.silent().stream().limit(5).forEach(why -> console.message("not read: " + why));
    if (read.silent().size() > 5) {
      console.message("not read: " + (read.silent().size() - 5) + " more files");
    }
    if (tree.ranks().size() == 0) {
      throw new HoldfastException(ErrorCode.NO_STACKS, "no stack of a rank is in " + from);
    }
    if (!pictures(tree)) {
      console.answer(
          switch (format) {
            case TREE -> StackText.tree(tree, console.style(), console.width());
            case JSON -> StackText.json(tree);
            case FOLDED -> StackText.folded(tree);
          });
    }
    return 0;
  }

  /** Whether one of them was the answer. */
  private boolean pictures(StackTree tree) {
    if (dot != null) {
      PictureFile.write(StatDot.of(tree).text(), dot, console);
    }
    if (svg != null) {
      PictureFile.write(StackSvg.write(tree), svg, console);
    }
    return PictureFile.ANSWER.equals(dot) || PictureFile.ANSWER.equals(svg);
  }

  private int samples() {
    if (samples < 1 || samples > MOST_SAMPLES) {
      throw new ParameterException(spec.commandLine(), "--samples: 1 to " + MOST_SAMPLES);
    }
    return samples;
  }

  private Duration within() {
    Duration longest = time("--within", within == null ? nativeToo ? "60s" : "10s" : within);
    if (longest.isZero()) {
      throw new ParameterException(spec.commandLine(), "--within: a sample takes time");
    }
    return longest;
  }

  private Duration time(String option, String text) {
    try {
      Duration time = Durations.parse(text);
      if (time.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException("at most " + Durations.write(LONGEST));
      }
      return time;
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), option + ": " + wrong.getMessage());
    }
  }

  private static StackFolder read(Path from) {
    try {
      return StackFolder.read(from);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, from + ": " + Failures.why(unreadable), unreadable);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.NO_STACKS, from + ": " + wrong.getMessage(), wrong);
    }
  }
}
