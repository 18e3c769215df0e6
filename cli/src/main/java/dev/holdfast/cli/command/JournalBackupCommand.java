package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.Backup;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.History;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Save the journal in a file. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Save the journal in one file, also while the control plane runs.",
      "Files that a control plane has open are asked of it: --server, or the one of this machine."
    },
    footer = {
      "",
      "Examples:",
      "  holdfast journal backup /backup/holdfast-$(date +%%F).gz",
      "  holdfast journal backup holdfast.gz --server https://head:7070",
      "  holdfast journal backup holdfast.gz --database jdbc:postgresql://db/holdfast",
    })
final class JournalBackupCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "FILE", description = "Is made; one that is there is not replaced.")
  private Path file;

  @Mixin private JournalPlace place = new JournalPlace();
  @Mixin private ServerChoice server = new ServerChoice();

  JournalBackupCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (Files.exists(file)) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, file + " is there already");
    }
    Path half = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.deleteIfExists(half);
      Backup.Contents contents = save(half);
      Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
      console.message(
          "%s: %d batches up to %d%s"
              .formatted(
                  file,
                  contents.batches(),
                  contents.last(),
                  contents.base() == 0 ? "" : ", and the state before them"));
      return 0;
    } catch (IOException | IllegalStateException problem) {
      throw new HoldfastException(ErrorCode.JOURNAL, why(problem), problem);
    } finally {
      try {
        Files.deleteIfExists(half);
      } catch (IOException left) {
        console.message(half + " is left: " + Failures.why(left));
      }
    }
  }

  private static String why(Exception problem) {
    return "no backup was made: "
        + (problem instanceof IOException io ? Failures.why(io) : problem.getMessage());
  }

  private Backup.Contents save(Path half) throws IOException {
    if (server.asked()) {
      return online(half);
    }
    if (!place.files()) {
      return offline(place.database(), half);
    }
    place.requireThere();
    try (History history = History.embedded(place.folder())) {
      return write(history.source(), half);
    } catch (SQLException problem) {
      if ("90020".equals(problem.getSQLState())) {
        return online(half);
      }
      throw ControlService.unusable(place.database(), problem);
    }
  }

  private static Backup.Contents offline(Database database, Path half) throws IOException {
    try (History history = History.of(database)) {
      return write(history.source(), half);
    } catch (SQLException problem) {
      throw ControlService.unusable(database, problem);
    }
  }

  private Backup.Contents online(Path half) throws IOException {
    try (Operator operator = new Operator(server.open())) {
      return write(
          new Backup.Source() {
            @Override
            public long base(Consumer<Batch> part) {
              return JournalReader.base(operator, part);
            }

            @Override
            public List<History.Row> after(long position, int rows) {
              return JournalReader.page(operator, position).stream()
                  .map(
                      line ->
                          new History.Row(
                              Fields.of("journal", Json.object(line)).number("position"),
                              Batch.of(line).line()))
                  .toList();
            }
          },
          half);
    }
  }

  /** Readable by nobody else: it names nodes, jobs and people. */
  private static Backup.Contents write(Backup.Source source, Path half) throws IOException {
    Files.createFile(
        half, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (FileChannel channel = FileChannel.open(half, Set.of(StandardOpenOption.WRITE))) {
      OutputStream out = java.nio.channels.Channels.newOutputStream(channel);
      Backup.Contents contents = Backup.write(source, out, Instant.now());
      out.flush();
      channel.force(true);
      return contents;
    }
  }
}
