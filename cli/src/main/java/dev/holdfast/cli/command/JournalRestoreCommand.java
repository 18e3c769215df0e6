package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.journal.Backup;
import dev.holdfast.control.journal.Database;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Bring a saved journal back. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Bring a saved journal back into a folder or a database that has none.",
      "Agents notice that the control plane knows less than they told it, and tell it again what holds."
    },
    footer = {
      "",
      "Examples:",
      "  holdfast journal restore /backup/holdfast.gz",
      "  holdfast journal restore holdfast.gz --database jdbc:postgresql://db/holdfast",
    })
final class JournalRestoreCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "FILE", description = "Made by `holdfast journal backup`.")
  private Path file;

  @Mixin private JournalPlace place = new JournalPlace();

  JournalRestoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    verify();
    if (place.files()) {
      prepare();
    }
    Database database = place.database();
    try (InputStream in = Files.newInputStream(file)) {
      Backup.Contents contents = Backup.restore(in, database);
      console.message(
          "%s holds %d batches up to %d, saved %s"
              .formatted(
                  database, contents.batches(), contents.last(), Times.show(contents.made())));
      return 0;
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.JOURNAL, "nothing was restored: " + Failures.why(problem), problem);
    } catch (SQLException | IllegalStateException problem) {
      throw new HoldfastException(
          ErrorCode.JOURNAL,
          "nothing was restored: "
              + (problem instanceof SQLException sql
                  ? database.sentence(sql)
                  : problem.getMessage()),
          problem);
    }
  }

  /** All of the file is read before anything is touched. */
  private void verify() {
    try (InputStream in = Files.newInputStream(file)) {
      Backup.read(in, _ -> {}, _ -> {});
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": " + Failures.why(problem), problem);
    }
  }

  private void prepare() {
    Path folder = StateFolder.own(place.folder());
    if (Files.exists(folder.resolve("journal.mv.db"))) {
      throw new HoldfastException(
          ErrorCode.JOURNAL,
          "nothing was restored: there is a journal in "
              + folder
              + "; move it away, or name another folder with --state");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException refused) {
      throw new HoldfastException(ErrorCode.JOURNAL, "--state: " + Failures.why(refused), refused);
    }
  }
}
