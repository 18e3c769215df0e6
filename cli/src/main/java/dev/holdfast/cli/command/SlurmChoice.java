package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.slurm.SlurmSettings;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Durations;
import dev.holdfast.os.process.ProgramPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether and how a control plane looks after Slurm. */
final class SlurmChoice {
  private static final Duration LEAST = Duration.ofSeconds(1);

  @Option(
      names = "--slurm",
      description =
          "Read nodes and jobs from Slurm, and drain, resume and requeue there what rules of the"
              + " policy that say enforce decide. docs/slurm.md.")
  private boolean slurm;

  @Option(
      names = "--slurm-interval",
      paramLabel = "TIME",
      description =
          "Between two looks at Slurm; each second while a node or job is in motion. Default: 10s;"
              + " at least 1s.")
  private @Nullable String interval;

  @Option(
      names = "--slurm-deadline",
      paramLabel = "TIME",
      description = "For each call; Slurm's programs hang while slurmctld is away. Default: 10s.")
  private @Nullable String deadline;

  @Option(
      names = "--slurm-cluster",
      paramLabel = "NAME",
      description =
          "Only this ClusterName will do. Also says that it took over the nodes of another one in"
              + " the journal.")
  private @Nullable String cluster;

  @Option(
      names = "--slurm-comments",
      description = "Write each node's health score into its comment in Slurm.")
  private boolean comments;

  @Option(
      names = "--slurm-cancel",
      description =
          "Cancel a job that must leave a node at once and was submitted with --no-requeue. Without"
              + " it such a job keeps its node.")
  private boolean cancels;

  @Option(
      names = "--slurm-rest",
      paramLabel = "PLACE",
      description =
          "Read nodes and jobs from slurmrestd, unix:/path or http://host:port; Slurm's programs"
              + " are asked while it does not answer, and for all else.")
  private @Nullable String rest;

  @Option(
      names = "--slurm-rest-token",
      paramLabel = "FILE",
      description = "A token for slurmrestd. Default: SLURM_JWT, where that is set.")
  private @Nullable Path restToken;

  /** What was said is judged before anything is started. */
  Optional<SlurmSettings> settings(Map<String, String> environment) {
    if (!slurm) {
      if (more()) {
        throw new HoldfastException(ErrorCode.WRONG_USAGE, "--slurm-… goes with --slurm");
      }
      return Optional.empty();
    }
    String path = environment.getOrDefault("PATH", "") + ":/opt/slurm/bin:/usr/local/bin:/usr/bin";
    for (String program : List.of("scontrol", "squeue", "scancel")) {
      if (ProgramPath.find(program, path).isEmpty()) {
        throw new HoldfastException(ErrorCode.NO_SLURM, program + " is not on the PATH");
      }
    }
    return Optional.of(
        new SlurmSettings(
            time("--slurm-interval", interval, SlurmSettings.INTERVAL),
            time("--slurm-deadline", deadline, SlurmSettings.DEADLINE),
            cluster == null ? "" : cluster,
            comments,
            cancels,
            rest(),
            Map.of()));
  }

  private boolean more() {
    return interval != null
        || deadline != null
        || cluster != null
        || comments
        || cancels
        || rest != null
        || restToken != null;
  }

  private SlurmSettings.Rest rest() {
    if (rest == null && restToken != null) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--slurm-rest-token goes with --slurm-rest");
    }
    try {
      return rest == null
          ? SlurmSettings.Rest.NONE
          : SlurmSettings.Rest.at(rest, Optional.ofNullable(restToken));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--slurm-rest: " + wrong.getMessage(), wrong);
    }
  }

  /** Begins, where it was asked for. */
  void start(Optional<SlurmSettings> settings, ControlPlane control, Console console) {
    settings.ifPresent(it -> control.link(it, console::message));
  }

  private static Duration time(String option, @Nullable String text, Duration otherwise) {
    if (text == null) {
      return otherwise;
    }
    try {
      Duration time = Durations.parse(text);
      if (time.compareTo(LEAST) < 0) {
        throw new IllegalArgumentException("at least 1s");
      }
      return time;
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, option + ": " + wrong.getMessage(), wrong);
    }
  }
}
