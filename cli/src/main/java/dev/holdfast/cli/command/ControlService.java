package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** What the commands that serve a control plane have in common. */
final class ControlService {
  private ControlService() {}

  /** Whoever reaches it may drain nodes, so only this machine may until it can tell who asks. */
  static HostPort onlyHere(HostPort place) {
    if (!Set.of("127.0.0.1", "localhost", "::1").contains(place.host())) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--listen: only 127.0.0.1, ::1 or localhost: there are no tokens yet, and whoever reaches"
              + " the port may drain nodes. Reach it from elsewhere through ssh -L.");
    }
    return place;
  }

  static ControlPlane open(Path folder, HostPort place, Policy policy) throws SQLException {
    try {
      Files.createDirectories(folder);
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, "--state: " + Failures.why(refused), refused);
    }
    Journal journal = Journal.embedded(folder);
    try {
      return new ControlPlane(
          journal,
          policy,
          text -> PolicyYaml.read("the policy in the journal", text),
          PolicyFile.checks(),
          place.host(),
          place.port(),
          Clock.systemUTC());
    } catch (UncheckedIOException taken) {
      journal.close();
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, Failures.why(Objects.requireNonNull(taken.getCause())), taken);
    }
  }

  /** Until a signal ends the process, or the control plane must not go on. */
  static int untilStopped(ControlPlane control) throws InterruptedException {
    Thread waiting = Thread.currentThread();
    Thread atEnd =
        Thread.ofPlatform()
            .name("end")
            .unstarted(
                () -> {
                  waiting.interrupt();
                  try {
                    waiting.join(10_000);
                  } catch (InterruptedException impatient) {
                    Thread.currentThread().interrupt();
                  }
                });
    Runtime.getRuntime().addShutdownHook(atEnd);
    try {
      Throwable why = control.engine().failure().get();
      throw new HoldfastException(ErrorCode.DEFECT, "the control plane has ended: " + why, why);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
