package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.stacks.StackSvg;
import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.forensics.stacks.StatDot;
import dev.holdfast.launch.forensics.StackFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where are all the ranks, and who is somewhere else? */
@Command(
    name = "stacks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Merge the stacks of all ranks into one tree and show who is where.",
    footer = {
      "",
      "A folder holds one file for each rank, whose name ends with the rank: rank_12.txt, stack.3. In it",
      "are stacks as Python's fault handler, py-spy dump or gdb write them; several of one rank (threads,",
      "samples over time) are merged. A file is STAT's .dot, or JSON:",
      "  {\"traces\": [{\"rank\": 0, \"frames\": [\"main\", \"step@train.py:12\"]}]}",
      "",
      "Examples:",
      "  holdfast stacks --from stacks/",
      "  holdfast stacks --from stacks/ --svg tree.svg --dot tree.dot",
      "  holdfast stacks --from stat_results/app.0001/00_app.0001.3D.dot --format json",
      "  holdfast stacks --from stacks/ --format folded | flamegraph.pl > flame.svg",
    })
final class StacksCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--from",
      paramLabel = "DIR|FILE",
      required = true,
      description = "Stacks that were kept.")
  private Path from = Path.of("");

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
  public Integer call() {
    StackFolder read = read();
    StackTree tree = read.tree();
    read.silent().stream().limit(5).forEach(why -> console.message("not read: " + why));
    if (read.silent().size() > 5) {
      console.message("not read: " + (read.silent().size() - 5) + " more files");
    }
    if (tree.ranks().size() == 0) {
      throw new HoldfastException(ErrorCode.NO_STACKS, "no stack of a rank is in " + from);
    }
    if (dot != null) {
      PictureFile.write(StatDot.of(tree).text(), dot, console);
    }
    if (svg != null) {
      PictureFile.write(StackSvg.write(tree), svg, console);
    }
    if (PictureFile.ANSWER.equals(dot) || PictureFile.ANSWER.equals(svg)) {
      return 0;
    }
    console.answer(
        switch (format) {
          case TREE -> StackText.tree(tree, console.style(), console.width());
          case JSON -> StackText.json(tree);
          case FOLDED -> StackText.folded(tree);
        });
    return 0;
  }

  private StackFolder read() {
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
