package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.watch.IoWatchdog;
import dev.holdfast.launch.watch.WatchdogConfig;
import dev.holdfast.launch.watch.WatchdogParser;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of an io-watchdog configuration for the rank it watches, if that rank is one of this
 * node's: nothing written for too long, then the actions of the file, one after the other.
 */
final class OutputWatchdog {
  private static final Duration ACTION = Duration.ofMinutes(10);

  private final WatchdogConfig config;
  private final WatchdogConfig.Effective settings;
  private final String program;
  private final RunLog log;
  private @Nullable IoWatchdog watchdog;
  private int attempt = -1;

  private OutputWatchdog(
      WatchdogConfig config, WatchdogConfig.Effective settings, String program, RunLog log) {
    this.config = config;
    this.settings = settings;
    this.program = program;
    this.log = log;
  }

  /** None where the job has no such configuration, or it cannot be used, which is said. */
  static @Nullable OutputWatchdog of(JobSpec spec, Map<String, String> environment, RunLog log) {
    String file = spec.watching().watchdogConfig();
    if (file.isEmpty()) {
      return null;
    }
    try {
      String program = spec.program().command().getFirst();
      WatchdogConfig config = WatchdogParser.read(Path.of(file), true, false);
      return new OutputWatchdog(
          config, config.effective(program, environment, false), program, log);
    } catch (RuntimeException wrong) {
      log.say("the watchdog's configuration is not used: " + wrong.getMessage());
      return null;
    }
  }

  void attemptBegins(int newAttempt) {
    attempt = newAttempt;
    watchdog = new IoWatchdog(settings);
  }

  /** Once a second. */
  void look(List<NodeRank> ranks) {
    IoWatchdog present = watchdog;
    if (present == null) {
      return;
    }
    for (NodeRank rank : ranks) {
      if (rank.rank() == present.rank()) {
        boolean alive = rank.pid() > 0 && rank.exit() == null;
        List<String> actions = present.look(System.nanoTime() / 1e9, rank.outputBytes(), alive);
        if (!actions.isEmpty()) {
          log.finding(attempt, "degraded", present.message(program));
          Map<String, String> variables = present.environment(rank.pid(), program);
          Thread.ofPlatform()
              .name("watchdog actions")
              .daemon()
              .start(() -> actions.forEach(action -> run(action, variables)));
        }
      }
    }
  }

  private void run(String action, Map<String, String> variables) {
    try {
      Command command =
          Command.of("/bin/sh", "-c", config.command(action, Files::isExecutable)).within(ACTION);
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        command = command.with(variable.getKey(), variable.getValue());
      }
      CommandResult result = command.run();
      boolean done = result.why().isEmpty();
      log.moment(
          Kinds.ACTION, "attempt", attempt, "action", action, "done", done, "what", result.why());
      if (!done) {
        log.say("watchdog action " + action + ": " + result.why());
      }
    } catch (RuntimeException wrong) {
      log.say("watchdog action " + action + ": " + wrong.getMessage());
    }
  }
}
