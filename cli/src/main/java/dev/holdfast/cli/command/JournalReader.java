package dev.holdfast.cli.command;

import dev.holdfast.cli.operator.Operator;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.History;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** Hands over every batch of a journal, from its files or from the control plane that has it. */
final class JournalReader {
  private static final int ROWS = 1_000;

  private JournalReader() {}

  static void files(Path folder, Consumer<Batch> reader) {
    if (!Files.exists(folder.resolve("journal.mv.db"))) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "--journal: there is no journal in " + folder);
    }
    try (History history = History.embedded(StateFolder.look(folder))) {
      long last = history.base(reader);
      for (var rows = history.after(last, ROWS);
          !rows.isEmpty();
          rows = history.after(last, ROWS)) {
        rows.forEach(row -> reader.accept(batch(row.batch(), row.position())));
        last = rows.getLast().position();
      }
    } catch (SQLException problem) {
      boolean inUse = "90020".equals(problem.getSQLState());
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT,
          inUse
              ? "--journal: a control plane has it open; ask that one with --server"
              : "--journal: " + problem.getMessage(),
          problem);
    }
  }

  static void server(ServerChoice choice, Consumer<Batch> reader) {
    try (Operator operator = new Operator(choice.open())) {
      long last = base(operator, reader);
      List<String> lines = page(operator, last);
      while (!lines.isEmpty()) {
        for (String line : lines) {
          last = Fields.of("journal", Json.object(line)).number("position");
          reader.accept(batch(line, last));
        }
        lines = page(operator, last);
      }
    }
  }

  /** The state the batches begin with; tells its position. */
  static long base(Operator operator, Consumer<Batch> reader) {
    long position = 0;
    for (String line : operator.lines("/journal/base")) {
      position = Fields.of("journal", Json.object(line)).number("position");
      reader.accept(batch(line, position));
    }
    return position;
  }

  static List<String> page(Operator operator, long after) {
    return operator.lines("/journal?limit=" + ROWS + "&after=" + after);
  }

  private static Batch batch(String line, long position) {
    try {
      return Batch.of(line);
    } catch (IllegalArgumentException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT,
          "batch " + position + " of the journal cannot be read: " + unreadable.getMessage(),
          unreadable);
    }
  }
}
