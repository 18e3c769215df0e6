package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A journal in one file: gzip of JSON lines. The first says what it is, then come the parts of the
 * state the batches begin with, the batches, and a line with their number and a SHA-256 of all
 * lines before it, without which the file is not whole.
 */
public final class Backup {
  public static final String SCHEMA = "holdfast.backup/1";
  private static final int ROWS = 1_000;

  /** The first line says what a file is. */
  private static final int HEAD = 4_096;

  /** A line is kept three times when it is read; more than this heap has room for is no backup. */
  private static final int LONGEST_LINE =
      (int) Math.min(256 << 20, Runtime.getRuntime().maxMemory() / 16);

  /** What a file holds: batches from {@code first} to {@code last}, none: both are the base. */
  public record Contents(Instant made, long base, long batches, long last) {}

  /** Where a journal is read from. */
  public interface Source {
    /** Hands over the state the batches begin with; tells its position. */
    long base(Consumer<Batch> part) throws IOException;

    List<History.Row> after(long position, int rows) throws IOException;
  }

  private Backup() {}

  /** Writes all of a journal; the caller closes the stream. */
  public static Contents write(Source journal, OutputStream out, Instant now) throws IOException {
    GZIPOutputStream zip = new GZIPOutputStream(out, 1 << 16);
    Lines lines = new Lines(zip);
    lines.write(Json.line(Json.map("schema", SCHEMA, "made", Times.show(now))));
    Failing<Batch> part = batch -> lines.write("{\"part\":true," + batch.line().substring(1));
    long base = journal.base(part);
    long last = base;
    long batches = 0;
    for (var rows = journal.after(last, ROWS); !rows.isEmpty(); rows = journal.after(last, ROWS)) {
      for (History.Row row : rows) {
        if (row.position() != last + 1) {
          throw new IOException("batches behind %d are missing".formatted(last));
        }
        lines.write("{\"position\":" + row.position() + "," + row.batch().substring(1));
        last = row.position();
        batches++;
      }
    }
    lines.end(base, batches, last);
    zip.finish();
    return new Contents(now, base, batches, last);
  }

  /** Reads a file to its end and holds it against its last line; parts and batches as they come. */
  public static Contents read(InputStream in, Consumer<Batch> part, Consumer<History.Row> row)
      throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(in, 1 << 16), StandardCharsets.UTF_8))) {
      MessageDigest digest = digest();
      Instant made = made(next(reader, digest));
      long batches = 0;
      while (true) {
        String line = bounded(reader, LONGEST_LINE);
        Fields fields = Fields.of("backup", Json.object(line));
        if (fields.has("sha256")) {
          requireWhole(fields, HexFormat.of().formatHex(digest.digest()), batches);
          return new Contents(made, fields.number("base"), batches, fields.number("last"));
        }
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        if (fields.has("part")) {
          part.accept(Batch.of(line));
        } else {
          batches++;
          Batch batch = Batch.of(line);
          row.accept(new History.Row(fields.number("position"), batch.line()));
        }
      }
    } catch (java.io.EOFException | java.util.zip.ZipException | IllegalArgumentException wrong) {
      throw new IOException("it is damaged or not a backup: " + wrong.getMessage(), wrong);
    }
  }

  private static Instant made(String line) throws IOException {
    Fields head = Fields.of("backup", Json.object(line));
    if (!head.text("schema", "").equals(SCHEMA)) {
      throw new IOException("it is not a backup of a journal this version knows");
    }
    return Times.read(head.text("made"));
  }

  private static void requireWhole(Fields end, String found, long batches) throws IOException {
    if (!end.text("sha256").equals(found) || end.number("batches") != batches) {
      throw new IOException("what it holds is not what was written: its SHA-256 differs");
    }
  }

  private static String next(BufferedReader reader, MessageDigest digest) throws IOException {
    String line = bounded(reader, HEAD);
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    return line;
  }

  /** A line, of which no more is read than it may have. */
  private static String bounded(BufferedReader reader, int most) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = reader.read(); next != '\n'; next = reader.read()) {
      if (next < 0) {
        throw new java.io.EOFException("it ends before its last line");
      }
      if (line.length() == most) {
        throw new java.io.EOFException("a line has more than %,d characters".formatted(most));
      }
      line.append((char) next);
    }
    return line.toString();
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Puts what a file holds into a database that holds nothing: all of it, or nothing. */
  public static Contents restore(InputStream in, Database database)
      throws IOException, SQLException {
    try (Connection connection = database.connectToWrite()) {
      Schema.migrate(connection, database.shared());
      connection.setAutoCommit(false);
      requireEmpty(connection, database);
      Contents contents;
      try (PreparedStatement part =
              connection.prepareStatement(
                  "insert into checkpoint_parts (position, part, batch) values (?, ?, ?)");
          PreparedStatement row =
              connection.prepareStatement(
                  "insert into journal (position, epoch, batch) values (?, 0, ?)")) {
        Parts parts = new Parts(part);
        Failing<History.Row> rows =
            it -> {
              row.setLong(1, it.position());
              row.setString(2, it.batch());
              row.executeUpdate();
            };
        contents = read(in, parts, rows);
        parts.finish(connection, contents.base(), contents.made());
        connection.commit();
      } catch (IOException | SQLException | IllegalStateException failed) {
        connection.rollback();
        throw failed;
      }
      if (database.h2()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("checkpoint sync");
        }
      }
      return contents;
    }
  }

  private static void requireEmpty(Connection connection, Database database)
      throws SQLException, IOException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select (select count(*) from journal) + (select count(*) from checkpoints)")) {
      row.next();
      if (row.getLong(1) > 0) {
        throw new IOException(
            database + " is not empty; restore into a new folder or an empty database");
      }
    }
  }

  /** The parts of the base; their position stands in the last line. */
  private static final class Parts implements Failing<Batch> {
    private static final long UNKNOWN = -1;

    private final PreparedStatement insert;
    private Instant at = Instant.EPOCH;
    private int count;

    Parts(PreparedStatement insert) {
      this.insert = insert;
    }

    @Override
    public void take(Batch batch) throws SQLException {
      count++;
      at = batch.at();
      insert.setLong(1, UNKNOWN);
      insert.setInt(2, count);
      insert.setString(3, batch.line());
      insert.executeUpdate();
    }

    void finish(Connection connection, long base, Instant made) throws SQLException {
      if (count == 0) {
        return;
      }
      try (PreparedStatement place =
              connection.prepareStatement(
                  "update checkpoint_parts set position = ? where position = ?");
          PreparedStatement note =
              connection.prepareStatement(
                  "insert into checkpoints (position, parts, at) values (?, ?, ?)")) {
        place.setLong(1, base);
        place.setLong(2, UNKNOWN);
        place.executeUpdate();
        note.setLong(1, base);
        note.setInt(2, count);
        note.setString(3, (at.equals(Instant.EPOCH) ? made : at).toString());
        note.executeUpdate();
      }
    }
  }

  /** A consumer whose trouble comes out of the reader that calls it. */
  private interface Failing<T> extends Consumer<T> {
    void take(T value) throws IOException, SQLException;

    @Override
    default void accept(T value) {
      try {
        take(value);
      } catch (IOException | SQLException problem) {
        throw new IllegalStateException(problem.getMessage(), problem);
      }
    }
  }

  private static final class Lines {
    private final OutputStream out;
    private final MessageDigest digest = digest();

    Lines(OutputStream out) {
      this.out = out;
    }

    void write(String line) throws IOException {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      digest.update(bytes);
      out.write(bytes);
      out.write('\n');
    }

    void end(long base, long batches, long last) throws IOException {
      String sum = HexFormat.of().formatHex(digest.digest());
      out.write(
          (Json.line(Json.map("base", base, "batches", batches, "last", last, "sha256", sum))
                  + "\n")
              .getBytes(StandardCharsets.UTF_8));
    }
  }
}
