package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.journal.History;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
      long last = 0;
      for (var rows = history.after(last, ROWS);
          !rows.isEmpty();
          rows = history.after(last, ROWS)) {
        rows.forEach(row -> reader.accept(batch(row.batch(), row.position())));
        last = rows.getLast().position();
      }
    } catch (SQLException problem) {
      boolean inUse = String.valueOf(problem.getMessage()).contains("already in use");
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT,
          inUse
              ? "--journal: a control plane has it open; ask that one with --server"
              : "--journal: " + problem.getMessage(),
          problem);
    }
  }

  static void server(String url, Consumer<Batch> reader) {
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .version(HttpClient.Version.HTTP_1_1)
            .build()) {
      long last = 0;
      List<String> lines = page(client, url, last);
      while (!lines.isEmpty()) {
        for (String line : lines) {
          last = Fields.of("journal", Json.object(line)).number("position");
          reader.accept(batch(line, last));
        }
        lines = page(client, url, last);
      }
    }
  }

  private static List<String> page(HttpClient client, String url, long after) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(
                      url.replaceAll("/+$", "")
                          + "/api/v1/journal?limit="
                          + ROWS
                          + "&after="
                          + after))
              .timeout(PATIENCE)
              .build();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(url + " answers " + response.statusCode() + ": " + response.body());
      }
      return response.body().lines().filter(it -> !it.isBlank()).toList();
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--server: '" + url + "' is not an address", wrong);
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.NO_CONTROL_PLANE, url + ": " + Failures.why(problem), problem);
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
