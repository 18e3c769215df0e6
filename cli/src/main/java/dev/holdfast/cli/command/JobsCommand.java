package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.JobKind;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.run.JobSockets;
import dev.holdfast.launch.run.JobStatus;
import dev.holdfast.launch.run.StatusPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** List the runs of this machine and the jobs of the cluster. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "List the runs of this machine, as their launchers tell, and the jobs of the cluster, as the"
          + " control plane knows them."
    },
    footer = {
      "",
      "Only your own runs can be asked; `holdfast status JOB` tells how each rank of one is. Without a",
      "control plane the runs of this machine are listed alone.",
      "",
      "Examples:",
      "  holdfast jobs",
      "  holdfast jobs slurm-4711",
      "  holdfast jobs -w n17 --watch",
    })
final class JobsCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "Show this one as the control plane knows it.")
  private @Nullable String job;

  @Mixin private ListOptions options = new ListOptions();

  JobsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Listing cluster = new Listing(console, new JobKind(), options);
    if (job != null || options.watch) {
      return cluster.show(job);
    }
    List<JobStatus> running = running();
    try (Operator operator = new Operator(options.server.open())) {
      List<Map<String, @Nullable Object>> known = known(operator, cluster);
      if (options.format == TableOrJson.JSON) {
        console.answer(Json.pretty(json(running, known)));
        return 0;
      }
      if (running.isEmpty()) {
        console.message("no runs of yours on this machine");
      } else {
        console.answer(console.style().bold("Runs of this machine") + ", told by launchers\n");
        console.answer(StatusPage.list(running, console.style()));
      }
      if (known != null) {
        String between = running.isEmpty() ? "" : "\n";
        String from = ", told by the control plane at " + operator.address() + "\n";
        console.answer(between + console.style().bold("Jobs of the cluster") + from);
        console.answer(known.isEmpty() ? "none\n" : cluster.table(known, known));
      }
      return 0;
    }
  }

  /** What the control plane knows; null where none was named and none is there. */
  private @Nullable List<Map<String, @Nullable Object>> known(Operator operator, Listing cluster) {
    try {
      return cluster.chosen(operator.list("jobs", options.all), options.nodes());
    } catch (HoldfastException problem) {
      boolean absent = problem.code() == ErrorCode.NO_CONTROL_PLANE;
      if (options.server.named() || !absent) {
        throw problem;
      }
      return null;
    }
  }

  private static Map<String, @Nullable Object> json(
      List<JobStatus> running, @Nullable List<Map<String, @Nullable Object>> known) {
    return Json.map(
        "schema",
        "holdfast.jobs/1",
        "jobs",
        running.stream().map(JobStatus::json).toList(),
        "cluster",
        known);
  }

  private List<JobStatus> running() {
    JobSockets sockets = JobSockets.ofThisProcess();
    List<JobStatus> running = new ArrayList<>();
    for (String name : sockets.launchers()) {
      try {
        running.add(sockets.status(name));
      } catch (IOException silent) {
        // A launcher that was killed leaves its socket behind.
        if (!String.valueOf(silent.getMessage()).contains("refused")) {
          console.message(name + ": " + silent.getMessage());
        }
      }
    }
    return running;
  }
}
