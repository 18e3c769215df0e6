package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.launch.run.JobSockets;
import dev.holdfast.launch.run.JobStatus;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the run an operator means: by its name, by the end of it, or the only one there is. */
final class LocalJob {
  private LocalJob() {}

  static JobStatus find(@Nullable String name) {
    JobSockets sockets = JobSockets.ofThisProcess();
    String job = name(sockets.launchers(), name);
    try {
      return sockets.status(job);
    } catch (IOException silent) {
      throw new HoldfastException(
          ErrorCode.NO_JOB, "job " + job + " does not answer: " + silent.getMessage(), silent);
    }
  }

  static String name(List<String> jobs, @Nullable String wanted) {
    if (jobs.isEmpty()) {
      throw new HoldfastException(ErrorCode.NO_JOB, "no runs of yours on this machine");
    }
    if (wanted == null) {
      if (jobs.size() == 1) {
        return jobs.getFirst();
      }
      throw new HoldfastException(
          ErrorCode.NO_JOB, jobs.size() + " runs here, name one: " + String.join(", ", jobs));
    }
    if (jobs.contains(wanted)) {
      return wanted;
    }
    List<String> meant = jobs.stream().filter(job -> job.contains(wanted + "@")).toList();
    if (!meant.isEmpty()) {
      return meant.getFirst();
    }
    throw new HoldfastException(
        ErrorCode.NO_JOB, "no run named '" + wanted + "' here" + Nearest.hint(wanted, jobs));
  }
}
