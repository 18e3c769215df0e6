package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * States written down at a position of the journal, so that a start need not read from the
 * beginning, and what lies before the oldest of them need not be kept. They are made and removed in
 * small steps beside the writer, each a transaction of its own; one counts only when all its parts
 * are there.
 */
final class Checkpoints {
  private static final int ENTRIES_A_PART = 500;
  private static final int ROWS_A_STEP = 1_000;
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(5);

  /** So many are kept between the oldest that is needed and the newest. */
  private static final int BETWEEN = 10;

  /** A state of the journal's first {@code position} batches, as of that time. */
  record Checkpoint(long position, int parts, Instant at) {}

  private Checkpoints() {}

  /** All that are complete, the oldest first. */
  static List<Checkpoint> list(Connection connection) throws SQLException {
    List<Checkpoint> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select position, parts, at from checkpoints order by position")) {
      while (row.next()) {
        all.add(new Checkpoint(row.getLong(1), row.getInt(2), Instant.parse(row.getString(3))));
      }
    }
    return all;
  }

  static Optional<Checkpoint> newest(Connection connection) throws SQLException {
    List<Checkpoint> all = list(connection);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /** Hands over the parts of one, in order. */
  static void read(Connection connection, Checkpoint checkpoint, Consumer<Batch> reader)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "select batch from checkpoint_parts where position = ? and part = ?")) {
      for (int part = 1; part <= checkpoint.parts(); part++) {
        select.setLong(1, checkpoint.position());
        select.setInt(2, part);
        try (ResultSet row = select.executeQuery()) {
          if (!row.next()) {
            throw new SQLException(
                "part %d of the checkpoint at batch %d is missing"
                    .formatted(part, checkpoint.position()));
          }
          reader.accept(batch(row.getString(1), part, checkpoint));
        }
      }
    }
  }

  private static Batch batch(String line, int part, Checkpoint checkpoint) throws SQLException {
    try {
      return Batch.of(line);
    } catch (IllegalArgumentException unreadable) {
      throw new SQLException(
          "part %d of the checkpoint at batch %d cannot be read: %s"
              .formatted(part, checkpoint.position(), unreadable.getMessage()),
          unreadable);
    }
  }

  /** Writes one; entries become text here, not on the thread that decides. */
  static void write(Connection connection, long position, Instant at, List<Entry> state)
      throws SQLException {
    connection.setAutoCommit(true);
    int part = 0;
    try (PreparedStatement clear =
        connection.prepareStatement("delete from checkpoint_parts where position = ?")) {
      clear.setLong(1, position);
      clear.executeUpdate();
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into checkpoint_parts (position, part, batch) values (?, ?, ?)")) {
      for (int i = 0; i < state.size(); i += ENTRIES_A_PART) {
        part++;
        insert.setLong(1, position);
        insert.setInt(2, part);
        insert.setString(
            3, new Batch(at, state.subList(i, Math.min(i + ENTRIES_A_PART, state.size()))).line());
        insert.executeUpdate();
        LockSupport.parkNanos(BETWEEN_STEPS.toNanos());
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into checkpoints (position, parts, at) select ?, ?, ? where not exists"
                + " (select 1 from checkpoints where position = ?)")) {
      insert.setLong(1, position);
      insert.setInt(2, part);
      insert.setString(3, at.toString());
      insert.setLong(4, position);
      insert.executeUpdate();
    }
  }

  /**
   * Removes batches older than that which a checkpoint stands for, and checkpoints nobody needs;
   * tells how many batches went.
   */
  static long trim(Connection connection, Instant before) throws SQLException {
    connection.setAutoCommit(true);
    List<Checkpoint> all = list(connection);
    Optional<Checkpoint> base =
        all.stream().filter(it -> it.at().isBefore(before)).reduce((_, later) -> later);
    for (Checkpoint useless : useless(all, base, before)) {
      remove(connection, useless.position());
    }
    orphans(connection);
    return base.isPresent() ? trim(connection, base.get().position()) : 0;
  }

  private static List<Checkpoint> useless(
      List<Checkpoint> all, Optional<Checkpoint> base, Instant before) {
    List<Checkpoint> useless = new ArrayList<>();
    if (all.isEmpty()) {
      return useless;
    }
    Duration apart = Duration.between(before, all.getLast().at()).dividedBy(BETWEEN);
    Instant last = Instant.MIN;
    for (Checkpoint each : all.subList(0, all.size() - 1)) {
      boolean old = base.isPresent() && each.position() < base.get().position();
      boolean near =
          !last.equals(Instant.MIN)
              && base.map(it -> !it.equals(each)).orElse(true)
              && each.at().isBefore(last.plus(apart));
      if (old || near) {
        useless.add(each);
      } else {
        last = each.at();
      }
    }
    return useless;
  }

  private static void remove(Connection connection, long position) throws SQLException {
    for (String table : List.of("checkpoints", "checkpoint_parts")) {
      try (PreparedStatement delete =
          connection.prepareStatement("delete from " + table + " where position = ?")) {
        delete.setLong(1, position);
        delete.executeUpdate();
      }
      LockSupport.parkNanos(BETWEEN_STEPS.toNanos());
    }
  }

  /** Parts of one whose writer ended before it was whole. */
  private static void orphans(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "delete from checkpoint_parts where position not in (select position from checkpoints)");
    }
  }

  private static long trim(Connection connection, long upTo) throws SQLException {
    long gone = 0;
    try (PreparedStatement first =
            connection.prepareStatement("select coalesce(min(position), 0) from journal");
        PreparedStatement delete =
            connection.prepareStatement("delete from journal where position <= ?")) {
      while (true) {
        long from;
        try (ResultSet row = first.executeQuery()) {
          row.next();
          from = row.getLong(1);
        }
        if (from == 0 || from > upTo) {
          return gone;
        }
        delete.setLong(1, Math.min(upTo, from + ROWS_A_STEP - 1));
        gone += delete.executeUpdate();
        LockSupport.parkNanos(BETWEEN_STEPS.toNanos());
      }
    }
  }
}
