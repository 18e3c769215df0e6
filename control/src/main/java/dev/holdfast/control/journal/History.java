package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a journal and changes nothing: whoever only looks must not lead. */
public final class History implements AutoCloseable {
  /** As much text is handed over at once, and one batch at least. */
  private static final int CHARACTERS = 1024 * 1024;

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

  /** The state the kept batches begin with; tells its position, 0: they begin at the beginning. */
  public long base(Consumer<Batch> reader) throws SQLException {
    if (!hasCheckpoints()) {
      return 0;
    }
    long first;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select min(position) from journal")) {
      row.next();
      first = row.getLong(1);
      if (row.wasNull()) {
        first = Long.MAX_VALUE;
      }
    }
    if (first == 1) {
      return 0;
    }
    long before = first;
    Optional<Checkpoints.Checkpoint> base =
        Checkpoints.list(connection).stream()
            .filter(it -> it.position() < before)
            .reduce((_, later) -> later);
    if (base.isPresent()) {
      Checkpoints.read(connection, base.get(), reader);
    }
    return base.map(Checkpoints.Checkpoint::position).orElse(0L);
  }

  /** The newest state that is written down; tells its position, 0: there is none. */
  public long newest(Consumer<Batch> reader) throws SQLException {
    Optional<Checkpoints.Checkpoint> newest = Checkpoints.newest(connection);
    if (newest.isPresent()) {
      Checkpoints.read(connection, newest.get(), reader);
    }
    return newest.map(Checkpoints.Checkpoint::position).orElse(0L);
  }

  /** Files that are only looked at may be of a version that had none. */
  private boolean hasCheckpoints() throws SQLException {
    try (ResultSet table =
        connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE", "BASE TABLE"})) {
      while (table.next()) {
        if (table.getString("TABLE_NAME").equalsIgnoreCase("checkpoints")) {
          return true;
        }
      }
    }
    return false;
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

  /** For a backup. */
  public Backup.Source source() {
    return new Backup.Source() {
      @Override
      public long base(Consumer<Batch> part) throws IOException {
        try {
          return History.this.base(part);
        } catch (SQLException problem) {
          throw new IOException(problem.getMessage(), problem);
        }
      }

      @Override
      public List<Row> after(long position, int rows) throws IOException {
        try {
          return History.this.after(position, rows);
        } catch (SQLException problem) {
          throw new IOException(problem.getMessage(), problem);
        }
      }
    };
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
