package dev.holdfast.control.journal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a journal and changes nothing: whoever only looks must not lead. */
public final class History implements AutoCloseable {
  /** As much text is handed over at once, and one batch at least. */
  private static final int CHARACTERS = 4 * 1024 * 1024;

  private final Connection connection;

  /** One batch as it stands in the journal. */
  public record Row(long position, String batch) {}

  private History(Connection connection) {
    this.connection = connection;
  }

  /** Of files no control plane has open. */
  public static History embedded(Path folder) throws SQLException {
    return new History(Database.readOnly(folder).connect());
  }

  public static History of(Database database) throws SQLException {
    return new History(database.connect());
  }

  /** Who leads; none: nobody ever did. */
  public Optional<Leader> leader() throws SQLException {
    return Leadership.look(connection);
  }

  /** Whether the leader's connection to the database is there. */
  boolean connected(Leader leader) throws SQLException {
    return Leadership.connected(connection, leader.epoch());
  }

  /** The next batches behind a position, no more than {@code rows}; none: that was the last. */
  public List<Row> after(long position, int rows) throws SQLException {
    List<Row> read = new ArrayList<>();
    int characters = 0;
    try (PreparedStatement select =
        connection.prepareStatement(
            "select position, batch from journal where position > ? order by position limit ?")) {
      select.setLong(1, position);
      select.setInt(2, rows);
      try (ResultSet row = select.executeQuery()) {
        while (characters < CHARACTERS && row.next()) {
          read.add(new Row(row.getLong(1), row.getString(2)));
          characters += read.getLast().batch().length();
        }
      }
    }
    return read;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
