package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.Lead;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.engine.SteadyClock;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.Fenced;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/** What the commands that serve a control plane have in common. */
final class ControlService {
  private ControlService() {}

  /** The journal in files of a folder, which is made when it is not there. */
  static Lead lead(Path folder) {
    try {
      Files.createDirectories(folder);
      return Lead.of(Journal.embedded(folder));
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.STATE_FILE, "--state: " + Failures.why(refused), refused);
    } catch (SQLException problem) {
      throw unusable(Database.embedded(folder), problem);
    }
  }

  static HoldfastException unusable(Database database, SQLException problem) {
    return new HoldfastException(ErrorCode.JOURNAL, database.sentence(problem), problem);
  }

  static ControlPlane open(
      Lead lead,
      Path folder,
      HostPort place,
      Policy policy,
      Entrance entrance,
      Heartbeats heartbeats) {
    Journal journal = lead.journal();
    try {
      ControlPlane control =
          new ControlPlane(
              lead,
              policy,
              ControlService::fromJournal,
              PolicyFile.checks(),
              notary(folder),
              entrance,
              place.host(),
              place.port(),
              new SteadyClock(Clock.systemUTC()),
              heartbeats);
      control.announce(policy, ControlService::fromJournal);
      return control;
    } catch (UncheckedIOException taken) {
      close(journal);
      throw Failures.start(Objects.requireNonNull(taken.getCause()));
    } catch (SQLException unreadable) {
      close(journal);
      throw unusable(journal.database(), unreadable);
    }
  }

  private static Notary notary(Path folder) {
    try {
      Files.createDirectories(folder);
      return Notary.in(folder, "holdfast " + VersionCommand.version());
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  private static Policy fromJournal(String text) {
    return PolicyYaml.read("the policy in the journal", text);
  }

  private static void close(Journal journal) {
    try {
      journal.close();
    } catch (SQLException gone) {
      throw unusable(journal.database(), gone);
    }
  }

  /** Until a signal ends the process, or the control plane must not go on. */
  static int untilStopped(Daemon daemon, ControlPlane control) throws InterruptedException {
    daemon.serves();
    try {
      throw ended(control, control.engine().failure().get());
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static HoldfastException ended(ControlPlane control, Throwable why) {
    return switch (why) {
      case Fenced fenced ->
          new HoldfastException(
              ErrorCode.NOT_LEADING,
              "this control plane has ended: " + fenced.getMessage(),
              fenced);
      case SQLException problem ->
          new HoldfastException(
              ErrorCode.JOURNAL,
              "this control plane has ended, because it could not write: "
                  + control.database().sentence(problem),
              problem);
      default ->
          new HoldfastException(ErrorCode.DEFECT, "the control plane has ended: " + why, why);
    };
  }
}
