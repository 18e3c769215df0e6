package dev.holdfast.cli.command;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.RunWatcher;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.run.ArbiterLine;
import dev.holdfast.launch.run.WatcherStart;
import dev.holdfast.launch.supervise.StandardStreams;
import dev.holdfast.launch.supervise.Supervisor;
import dev.holdfast.launch.supervise.SupervisorOptions;
import dev.holdfast.os.process.OwnProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Becomes the supervisor of a job, with the process that watches beside it. */
final class RunLauncher {
  /** Without memory they are started again; the process that holds the ranks has no such option. */
  private static final String ENDS = "-XX:+ExitOnOutOfMemoryError";

  /** A watcher of eight ranks needs little; a leader of thousands of nodes holds their digests. */
  private static final List<String> WATCHER = List.of("-Xms16m", "-Xmx512m", ENDS);

  /** As for stores of their own: it serves until the job ends, and is worth compiling well. */
  private static final List<String> STORE = List.of("-Xms32m", "-Xmx4g", ENDS);

  private RunLauncher() {}

  /** Runs the job to its end; returns what it exits with. */
  static int run(JobSpec spec, Console console) {
    spec.team().arbiter().ifPresent(RunLauncher::requireToken);
    WatcherStart start =
        new WatcherStart(spec, store(spec), PythonFolder.shim().orElse(Path.of("/nonexistent")));
    return Supervisor.run(
        SupervisorOptions.of(
                OwnProgram.command(WATCHER, RunWatcher.class.getName(), List.of()),
                start.line(),
                new StandardStreams())
            .with(Map.of("COLUMNS", Integer.toString(console.width())))
            .within(spec.ending().grace()));
  }

  /** Said before anything starts, not by each launcher in its own time. */
  private static void requireToken(ArbiterPlace place) {
    try {
      ArbiterLine.token(place, System.getenv());
    } catch (IOException | IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--arbiter: " + wrong.getMessage(), wrong);
    }
  }

  private static List<String> store(JobSpec spec) {
    return OwnProgram.command(
        STORE,
        Main.class.getName(),
        List.of(
            "store",
            "--port-range",
            spec.ports().toString(),
            "--state",
            LogFolders.ofNode(spec) + "/store",
            "--parent-pipe"));
  }
}
