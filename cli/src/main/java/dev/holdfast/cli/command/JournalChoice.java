package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.Lead;
import dev.holdfast.control.Standby;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.Follower;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.journal.Leader;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Durations;
import dev.holdfast.os.place.Places;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the journal of a control plane is, and how it comes to lead. */
final class JournalChoice {
  /** A leader that was killed is noticed within its lease. */
  private static final Duration PATIENCE = Journal.LEASE.plusSeconds(2);

  static final Duration KEEP = Duration.ofDays(90);
  private static final Duration LEAST_KEEP = Duration.ofDays(1);
  private static final Duration PACE = Duration.ofMillis(500);

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "Keeps the journal in PostgreSQL: jdbc:postgresql://host:5432/holdfast. User and password"
              + " from PGUSER and PGPASSWORD, PGPASSFILE or the URL. Default: the variable"
              + " HOLDFAST_DATABASE, else files in the state folder.")
  private @Nullable String url;

  @Option(
      names = "--standby",
      description =
          "Wait until no other control plane leads, following its journal meanwhile; then take over."
              + " Needs --database.")
  private boolean standby;

  @Option(
      names = "--advertise",
      paramLabel = "URL",
      description = "Where others reach this control plane. Default: what --listen says.")
  private @Nullable String advertise;

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      description =
          "How long history is kept, for the page and for `policy replay`; what holds is always"
              + " kept. Default: 90d; at least 1d.")
  private String keep = "90d";

  Duration keep() {
    try {
      Duration asked = Durations.parse(keep);
      if (asked.compareTo(LEAST_KEEP) < 0) {
        throw new IllegalArgumentException("at least 1d");
      }
      return asked;
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--keep: " + wrong.getMessage(), wrong);
    }
  }

  /** The database named; none: files of the folder. */
  Optional<Database> database(Map<String, String> environment) {
    String named = url != null ? url : environment.getOrDefault("HOLDFAST_DATABASE", "");
    if (named.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Database.at(named, environment));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--database: " + wrong.getMessage(), wrong);
    }
  }

  /** Returns when this control plane leads. */
  Lead lead(Path folder, HostPort place, Entrance entrance, Console console, Daemon daemon)
      throws InterruptedException {
    Optional<Database> database = database(Places.ofThisProcess().environment());
    if (database.isEmpty()) {
      if (standby) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE,
            "--standby: name the PostgreSQL both control planes share with --database");
      }
      return ControlService.lead(folder);
    }
    if (place.port() == 0 && advertise == null) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--listen: with --database choose a port, or say with --advertise where others reach it");
    }
    String address =
        advertise != null
            ? advertise
            : entrance.scheme() + "://" + place.host() + ":" + place.port();
    return standby
        ? wait(database.get(), address, entrance, place, console, daemon)
        : soon(database.get(), address, console);
  }

  private static Lead wait(
      Database database,
      String address,
      Entrance entrance,
      HostPort place,
      Console console,
      Daemon daemon)
      throws InterruptedException {
    try (Standby waiting =
        new Standby(database, address, entrance, place.host(), place.port(), daemon.heartbeats())) {
      daemon.ready();
      return waiting.await(console::message);
    } catch (UncheckedIOException taken) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, Failures.why(Objects.requireNonNull(taken.getCause())), taken);
    }
  }

  /** Leads, or waits only as long as a leader that was killed might still seem to live. */
  private static Lead soon(Database database, String address, Console console)
      throws InterruptedException {
    ClusterState state = new ClusterState();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    boolean told = false;
    try (Follower follower = new Follower(database, address, state::apply)) {
      while (true) {
        Optional<Journal> won = follower.look();
        if (won.isPresent()) {
          return new Lead(won.get(), state, follower.position());
        }
        if (follower.problem().isPresent()) {
          throw new HoldfastException(ErrorCode.JOURNAL, follower.problem().get());
        }
        String leader = follower.leader().map(Leader::address).orElse("");
        if (System.nanoTime() > deadline) {
          throw new HoldfastException(
              ErrorCode.NOT_LEADING, "the control plane on " + leader + " leads");
        }
        if (!told) {
          console.message("waiting for the lease of " + leader + " to end");
          told = true;
        }
        Thread.sleep(PACE);
      }
    }
  }
}
