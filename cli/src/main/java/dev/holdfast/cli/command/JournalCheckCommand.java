package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.Backup;
import dev.holdfast.control.journal.History;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Read all of a journal and say what cannot be read. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Read all of a journal, or of a backup of one, and say what cannot be read and where.",
      "Changes nothing. The files of a folder must not be open in a control plane."
    },
    footer = {
      "",
      "Exit codes: 0 all is readable, 1 something is not, 3 it cannot be opened.",
      "",
      "Examples:",
      "  holdfast journal check",
      "  holdfast journal check /backup/holdfast.gz",
    })
final class JournalCheckCommand implements Callable<Integer> {
  private static final int ROWS = 1_000;
  private static final int MOST_SHOWN = 20;

  private final Console console;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "A backup.")
  private @Nullable Path file;

  @Mixin private JournalPlace place = new JournalPlace();

  private final List<String> wrong = new ArrayList<>();
  private final ClusterState state = new ClusterState();
  private long batches;
  private Instant first = Instant.EPOCH;
  private Instant last = Instant.EPOCH;

  JournalCheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (file != null) {
      backup(file);
    } else {
      place.requireThere();
      try (History history =
          place.files() ? History.embedded(place.folder()) : History.of(place.database())) {
        journal(history);
      } catch (SQLException problem) {
        throw ControlService.unusable(place.database(), problem);
      }
    }
    console.answer(
        "%d batches%s; %d nodes, %d open incidents%n"
            .formatted(
                batches,
                batches == 0 ? "" : " from " + Times.show(first) + " to " + Times.show(last),
                state.nodeCount(),
                state.openIncidents().size()));
    wrong.stream().limit(MOST_SHOWN).forEach(it -> console.answer(it + "\n"));
    if (wrong.size() > MOST_SHOWN) {
      console.answer("and %d more%n".formatted(wrong.size() - MOST_SHOWN));
    }
    return wrong.isEmpty() ? 0 : 1;
  }

  private void backup(Path saved) {
    try (InputStream in = Files.newInputStream(saved)) {
      Backup.read(in, state::apply, row -> take(row));
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, saved + ": " + Failures.why(problem), problem);
    }
  }

  private void journal(History history) throws SQLException {
    long at = history.base(state::apply);
    for (var rows = history.after(at, ROWS); !rows.isEmpty(); rows = history.after(at, ROWS)) {
      for (History.Row row : rows) {
        if (row.position() != at + 1) {
          wrong.add("batches %d to %d are missing".formatted(at + 1, row.position() - 1));
        }
        take(row);
        at = row.position();
      }
    }
  }

  private void take(History.Row row) {
    batches++;
    try {
      Batch batch = Batch.of(row.batch());
      state.apply(batch);
      first = batches == 1 ? batch.at() : first;
      last = batch.at();
    } catch (IllegalArgumentException unreadable) {
      wrong.add("batch %d cannot be read: %s".formatted(row.position(), unreadable.getMessage()));
    }
  }
}
