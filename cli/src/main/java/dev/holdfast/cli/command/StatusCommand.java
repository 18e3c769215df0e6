package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.run.JobStatus;
import dev.holdfast.launch.run.StatusPage;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tell how each rank of a run is. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Tell how each rank of a run on this machine is, and what was found.",
    footer = {
      "",
      "The launcher of this node answers; the one that leads the job knows the ranks of all nodes."
    })
final class StatusCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "Its name or the end of it. Default: the only one.")
  private @Nullable String job;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  StatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobStatus status = LocalJob.find(job);
    console.answer(
        format == TableOrJson.JSON
            ? Json.pretty(status.json())
            : StatusPage.of(status, console.style()));
    return 0;
  }
}
