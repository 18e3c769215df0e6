package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.run.JobSockets;
import dev.holdfast.launch.run.JobStatus;
import dev.holdfast.launch.run.StatusPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** List the runs of this machine. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List the runs of this machine and how far they are.",
    footer = {"", "Only your own runs can be asked. `holdfast status JOB` tells how each rank is."})
final class JobsCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  JobsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobSockets sockets = JobSockets.ofThisProcess();
    List<JobStatus> running = new ArrayList<>();
    for (String job : sockets.launchers()) {
      try {
        running.add(sockets.status(job));
      } catch (IOException silent) {
        // A launcher that was killed leaves its socket behind.
        if (!String.valueOf(silent.getMessage()).contains("refused")) {
          console.message(job + ": " + silent.getMessage());
        }
      }
    }
    if (format == TableOrJson.JSON) {
      console.answer(
          Json.pretty(
              Json.map(
                  "schema",
                  "holdfast.jobs/1",
                  "jobs",
                  running.stream().map(JobStatus::json).toList())));
    } else if (running.isEmpty()) {
      console.message("no runs of yours on this machine");
    } else {
      console.answer(StatusPage.list(running, console.style()));
    }
    return 0;
  }
}
