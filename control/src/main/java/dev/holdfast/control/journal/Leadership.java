package dev.holdfast.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Who may write. The one row of {@code leader} holds the epoch, where its control plane is reached,
 * and until when, by the database's clock, nobody else may take its place.
 *
 * <p>A process that died is noticed sooner: as long as it lives, its connection holds a lock named
 * after the epoch. A lock alone would not do (a stopped process keeps its connection for ever), a
 * lease alone would do, only slower. Neither is what keeps two from writing: that is the row lock
 * every append takes while it compares the epoch.
 */
final class Leadership {
  /** So long a leader counts as alive after it was heard of last. */
  static final int LEASE_SECONDS = 10;

  /** The first half of the advisory lock's name; the epoch is the other. */
  private static final int LOCK = 0x484f4c44;

  private static final String UNTIL = "current_timestamp + interval '" + LEASE_SECONDS + "' second";

  private Leadership() {}

  /** May the one who leads be replaced? */
  interface Free {
    boolean free(Leader leader);
  }

  /** Takes the lead if nobody has it, or from whoever may be replaced; tells the epoch. */
  static Optional<Long> take(Connection connection, boolean shared, String address, Free free)
      throws SQLException {
    connection.setAutoCommit(true);
    Optional<Leader> before = look(connection);
    if (before.isPresent() && before.get().live() && !free.free(before.get())) {
      return Optional.empty();
    }
    long old = before.map(Leader::epoch).orElse(0L);
    if (shared) {
      end(connection, old);
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "update leader set epoch = epoch + 1, address = ?, lease_until = "
                + UNTIL
                + " where epoch = ?")) {
      update.setString(1, address);
      update.setLong(2, old);
      if (update.executeUpdate() != 1) {
        return Optional.empty();
      }
    }
    return Optional.of(old + 1);
  }

  /** The leader goes on leading; false: another one does. */
  static boolean renew(Connection connection, long epoch) throws SQLException {
    return update(connection, UNTIL, epoch);
  }

  /** The next one need not wait. */
  static void release(Connection connection, long epoch) throws SQLException {
    update(connection, "current_timestamp - interval '1' second", epoch);
  }

  private static boolean update(Connection connection, String until, long epoch)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "update leader set lease_until = " + until + " where epoch = ?")) {
      update.setLong(1, epoch);
      return update.executeUpdate() == 1;
    }
  }

  /** Marks this connection as the leader's; false: an earlier one of it is not gone yet. */
  static boolean hold(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement lock =
        connection.prepareStatement("select pg_try_advisory_lock(?, ?)")) {
      lock.setInt(1, LOCK);
      lock.setInt(2, (int) epoch);
      try (ResultSet row = lock.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Whether the leader's connection is there. */
  static boolean connected(Connection connection, long epoch) throws SQLException {
    return session(connection, epoch).isPresent();
  }

  private static Optional<Integer> session(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "select pid from pg_locks where locktype = 'advisory' and granted and classid = ?"
                + " and objid = ? and database ="
                + " (select oid from pg_database where datname = current_database())")) {
      select.setLong(1, LOCK);
      select.setLong(2, (int) epoch);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(row.getInt(1)) : Optional.empty();
      }
    }
  }

  /** A stopped process must not keep locks of ours: its connection is ended by the database. */
  static void end(Connection connection, long epoch) throws SQLException {
    Optional<Integer> session = session(connection, epoch);
    if (session.isPresent()) {
      try (PreparedStatement end = connection.prepareStatement("select pg_terminate_backend(?)")) {
        end.setInt(1, session.get());
        end.execute();
      }
    }
  }

  /** Who leads; none: nobody ever did. */
  static Optional<Leader> look(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select epoch, address, lease_until >= current_timestamp from leader")) {
      return row.next() && row.getLong(1) > 0
          ? Optional.of(new Leader(row.getLong(1), row.getString(2), row.getBoolean(3)))
          : Optional.empty();
    }
  }
}
