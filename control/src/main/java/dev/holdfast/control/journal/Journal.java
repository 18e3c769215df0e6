package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/**
 * An append-only table of batches in H2 or PostgreSQL. One row is one group commit: it is there
 * after a power loss, or not at all. Every append names the epoch of its writer and fails when a
 * later one has begun.
 *
 * <p>H2 tells a commit done before the disk has it; {@code CHECKPOINT SYNC} after each commit is
 * what makes it wait. PostgreSQL waits by itself.
 */
public final class Journal implements AutoCloseable {
  /** Of the database in a folder. */
  static final String NAME = "journal";

  private final Connection connection;
  private final String url;
  private final boolean embedded;
  private final PreparedStatement insert;
  private final long epoch;
  private long position;

  private Journal(String url) throws SQLException {
    this.url = url;
    this.connection = DriverManager.getConnection(url);
    this.embedded = url.startsWith("jdbc:h2:");
    connection.setAutoCommit(false);
    Schema.migrate(connection);
    this.epoch = lead();
    this.insert =
        connection.prepareStatement(
            "insert into journal (position, epoch, batch)"
                + " select ?, ?, ? where (select epoch from leader) = ?");
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select coalesce(max(position), 0) from journal")) {
      row.next();
      position = row.getLong(1);
    }
    connection.commit();
  }

  /** The journal in files of this folder. */
  public static Journal embedded(Path folder) throws SQLException {
    return new Journal(
        "jdbc:h2:file:"
            + folder.toAbsolutePath().resolve(NAME)
            + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
  }

  /** The journal in a database of its own; whoever opens it later leads. */
  public static Journal at(String url) throws SQLException {
    return new Journal(url);
  }

  /** What is in it, for readers beside the writer. */
  public History history() throws SQLException {
    return History.at(url);
  }

  private long lead() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("update leader set epoch = epoch + 1");
      try (ResultSet row = statement.executeQuery("select epoch from leader")) {
        row.next();
        long mine = row.getLong(1);
        connection.commit();
        return mine;
      }
    }
  }

  public long epoch() {
    return epoch;
  }

  /** How many batches there are. */
  public long position() {
    return position;
  }

  /** Hands over every batch in order. */
  public void read(Consumer<Batch> reader) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "select position, batch from journal where position > ? order by position")) {
      select.setFetchSize(1000);
      select.setLong(1, 0);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          try {
            reader.accept(Batch.of(rows.getString(2)));
          } catch (IllegalArgumentException unreadable) {
            throw new SQLException(
                "batch "
                    + rows.getLong(1)
                    + " of the journal cannot be read: "
                    + unreadable.getMessage(),
                unreadable);
          }
        }
      }
    }
    connection.commit();
  }

  /** Makes a batch durable; when this returns a power loss cannot take it back. */
  public void append(Batch batch) throws SQLException {
    insert.setLong(1, position + 1);
    insert.setLong(2, epoch);
    insert.setString(3, batch.line());
    insert.setLong(4, epoch);
    if (insert.executeUpdate() != 1) {
      connection.rollback();
      throw new Fenced("another control plane leads since epoch " + epoch);
    }
    connection.commit();
    if (embedded) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("checkpoint sync");
      }
    }
    position++;
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    connection.close();
  }
}
