package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.draw.TopologyJson;
import dev.holdfast.core.topology.draw.TopologySvg;
import dev.holdfast.core.topology.draw.TreeText;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is where in this machine: sockets, memory, GPUs, adapters, and what lies between them? */
@Command(
    name = "topo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show where CPUs, memory, GPUs and adapters are and what lies between them.",
    footer = {
      "",
      "A FILE may be hwloc's XML (lstopo --of xml), NCCL's topology (NCCL_TOPO_DUMP_FILE), the text",
      "of nvidia-smi topo -m, a snapshot, or a folder laid out like one; - is stdin. What the file",
      "does not tell is said in a note.",
      "",
      "Examples:",
      "  holdfast topo                             this machine",
      "  holdfast topo --svg node.svg              the same as a picture to print or share",
      "  holdfast topo --from node.zip             a node recorded by holdfast snapshot",
      "  ssh gpu7 nvidia-smi topo -m | holdfast topo --from -",
      "  holdfast topo --format json | jq '.devices[] | select(.kind == \"gpu\")'",
    })
final class TopoCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--from",
      paramLabel = "FILE|DIR",
      description = "Show the machine this file tells of instead of this one.")
  private @Nullable Path from;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw a picture into this file instead; - for stdout.")
  private @Nullable String svg;

  @Option(names = "--format", paramLabel = "FORMAT", description = "tree or json. Default: tree.")
  private Format format = Format.TREE;

  @Option(
      names = "--condensed",
      description = "Leave out levels that add nothing, such as a core around its one thread.")
  private boolean condensed;

  /** How the answer is written. */
  enum Format {
    TREE,
    JSON
  }

  TopoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Topology read = TopologySource.read(from);
    Topology machine = condensed ? read.condensed() : read;
    if (svg != null) {
      PictureFile.write(TopologySvg.write(machine), svg, console);
      return 0;
    }
    console.answer(
        switch (format) {
          case TREE -> new TreeText(console.style(), console.width()).write(machine);
          case JSON -> TopologyJson.write(machine);
        });
    return 0;
  }
}
