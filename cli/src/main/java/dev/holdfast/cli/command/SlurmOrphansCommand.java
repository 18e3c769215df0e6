package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.slurm.Orphans;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.node.LiveNode;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a dead slurmd leaves behind. */
@Command(
    name = "orphans",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Find processes of jobs that Slurm no longer runs on this node, and end them if told.",
    footer = {
      "",
      "When slurmd dies its jobs go on, and Slurm starts them elsewhere as well. A process belongs"
          + " to a job by",
      "SLURM_JOB_ID and SLURMD_NODENAME in its environment; which jobs are here squeue says.",
      "Exit codes: 0 none are left, 1 some are, 3 Slurm does not answer and nothing was done.",
    })
final class SlurmOrphansCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--end", description = "End them: TERM, after three seconds KILL.")
  private boolean end;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "This node as Slurm calls it. Default: SLURMD_NODENAME, else the host name.")
  private @Nullable String node;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  SlurmOrphansCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    String name = node == null ? LiveNode.name(System.getenv()) : node;
    List<Orphans.Orphan> found = new Orphans(name, System.getenv().getOrDefault("PATH", "")).find();
    List<Orphans.Orphan> left = end ? Orphans.end(found) : found;
    console.answer(format == TableOrJson.JSON ? json(name, found, left) : table(name, found, left));
    return left.isEmpty() ? 0 : 1;
  }

  private String table(String name, List<Orphans.Orphan> found, List<Orphans.Orphan> left) {
    if (found.isEmpty()) {
      return "no process on %s is of a job that Slurm no longer runs here\n".formatted(name);
    }
    StringBuilder text = new StringBuilder();
    for (Orphans.Orphan each : found) {
      text.append(
          "%s  job %s  process %d, since %s: %s\n"
              .formatted(
                  left.contains(each) ? "left " : "ended",
                  each.job(),
                  each.process().pid(),
                  Times.show(each.started()),
                  Wrap.cut(each.program(), 60)));
    }
    return text.toString();
  }

  private static String json(String name, List<Orphans.Orphan> found, List<Orphans.Orphan> left) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.orphans/1",
            "node",
            name,
            "orphans",
            found.stream()
                .map(
                    it ->
                        Json.map(
                            "job",
                            "slurm-" + it.job(),
                            "pid",
                            it.process().pid(),
                            "started",
                            Times.show(it.started()),
                            "program",
                            it.program(),
                            "ended",
                            !left.contains(it)))
                .toList()));
  }
}
