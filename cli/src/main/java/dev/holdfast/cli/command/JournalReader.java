package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.History;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Hands over every batch of a journal, from its files or from the control plane that has it. */
final class JournalReader {
  private static final int ROWS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private JournalReader() {}

  static void files(Path folder, Consumer<Batch> reader) {
    if (!Files.exists(folder.resolve("journal.mv.db"))) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "--journal: there is no journal in " + folder);
    }
    try (History history = History.embedded(folder)) {
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
    try (ServerClient client = choice.open()) {
      long last = base(client, reader);
      List<String> lines = page(client, last);
      while (!lines.isEmpty()) {
        for (String line : lines) {
          last = Fields.of("journal", Json.object(line)).number("position");
          reader.accept(batch(line, last));
        }
        lines = page(client, last);
      }
    }
  }

  /** The state the batches begin with; tells its position. */
  static long base(ServerClient client, Consumer<Batch> reader) {
    long position = 0;
    for (String line : lines(client, "/api/v1/journal/base")) {
      position = Fields.of("journal", Json.object(line)).number("position");
      reader.accept(batch(line, position));
    }
    return position;
  }

  static List<String> page(ServerClient client, long after) {
    return lines(client, "/api/v1/journal?limit=" + ROWS + "&after=" + after);
  }

  private static List<String> lines(ServerClient client, String path) {
    try {
      return client.get(path, PATIENCE).lines().filter(it -> !it.isBlank()).toList();
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.NO_CONTROL_PLANE, client.address() + ": " + Failures.why(problem), problem);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new HoldfastException(ErrorCode.NO_CONTROL_PLANE, "interrupted", ending);
    }
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
