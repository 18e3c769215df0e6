package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Durations;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shrink a journal no control plane has open. */
@Command(
    name = "compact",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Write the present state down, so that the next start is quick, and drop history that need not be"
          + " kept.",
      "A control plane does the same by itself while it runs; this is for one that does not."
    },
    footer = {
      "",
      "Examples:",
      "  holdfast journal compact",
      "  holdfast journal compact --keep 30d",
    })
final class JournalCompactCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private JournalPlace place = new JournalPlace();

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      description = "How much history is kept. Default: 90d.")
  private String keep = "90d";

  JournalCompactCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Duration kept;
    try {
      kept = Durations.parse(keep);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--keep: " + wrong.getMessage(), wrong);
    }
    place.requireThere();
    Database database = place.database();
    try (Journal journal =
        Journal.lead(database, "")
            .orElseThrow(
                () ->
                    new HoldfastException(
                        ErrorCode.NOT_LEADING, "a control plane leads; it does this by itself"))) {
      ClusterState state = new ClusterState();
      journal.read(0, state::apply);
      journal.checkpoint(journal.position(), state.time(), state.kept());
      long gone = journal.trim(Instant.now().minus(kept));
      journal.shrink();
      console.message(
          "%s: %d batches are gone, the state at batch %d is written down"
              .formatted(database, gone, journal.position()));
      return 0;
    } catch (SQLException problem) {
      throw ControlService.unusable(database, problem);
    }
  }
}
