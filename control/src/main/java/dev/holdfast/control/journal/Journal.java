package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.os.libc.CreationMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * An append-only table of batches in H2 or PostgreSQL. One row is one group commit: it is there
 * after a power loss, or not at all. Every append compares the epoch of its writer under a lock of
 * the leader's row, in the statement that inserts: an append of a leader that was replaced cannot
 * land, however late it arrives.
 *
 * <p>H2 tells a commit done before the disk has it; {@code CHECKPOINT SYNC} after each commit is
 * what makes it wait. PostgreSQL waits by itself. When its connection is lost in the middle of an
 * append, nobody knows whether the row is there: after connecting again the table tells.
 */
public final class Journal implements AutoCloseable {
  /** So long after it was last heard by the database a leader must not count on being one. */
  public static final Duration LEASE = Duration.ofSeconds(Leadership.LEASE_SECONDS);

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
  private static final String DUPLICATE = "23505";
  private static final String INSERT =
      "insert into journal (position, epoch, batch)"
          + " select ?, epoch, ? from leader where epoch = ? for update";

  private final Database database;
  private final long epoch;
  private Connection connection;

  /** Whether the connection is marked as the leader's, so that others see at once when it goes. */
  private boolean held;

  private volatile long confirmed = System.nanoTime();
  private volatile long position;

  private Journal(Database database, Connection connection, long epoch) throws SQLException {
    this.database = database;
    this.connection = connection;
    this.epoch = epoch;
    connection.setAutoCommit(true);
    held = database.shared() && Leadership.hold(connection, epoch);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select greatest((select coalesce(max(position), 0) from journal), (select"
                    + " coalesce(max(position), 0) from checkpoints))")) {
      row.next();
      position = row.getLong(1);
    }
  }

  /** The journal in files of this folder, for their owner alone. */
  public static Journal embedded(Path folder) throws SQLException {
    try {
      for (Path file : Database.files(folder)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    } catch (IOException refused) {
      throw new SQLException(
          "its files cannot be kept from others: " + refused.getMessage(), refused);
    }
    return open(Database.embedded(folder), "", _ -> true).orElseThrow();
  }

  /** The journal in a database of its own; whoever opens it later leads. */
  public static Journal at(String url) throws SQLException {
    return open(Database.at(url, Map.of()), "", _ -> true).orElseThrow();
  }

  /**
   * Leads, unless another control plane does.
   *
   * @param address where this one is reached
   */
  public static Optional<Journal> lead(Database database, String address) throws SQLException {
    return open(database, address, _ -> database.h2());
  }

  /** Leads in the place of one whose connection is gone though its lease still runs. */
  static Optional<Journal> replace(Database database, String address, Leader vanished)
      throws SQLException {
    return open(database, address, it -> it.epoch() == vanished.epoch());
  }

  private static Optional<Journal> open(Database database, String address, Leadership.Free free)
      throws SQLException {
    Connection connection = database.connectToWrite();
    try {
      Schema.migrate(connection, database.shared());
      Optional<Long> epoch = Leadership.take(connection, database.shared(), address, free);
      if (epoch.isPresent()) {
        return Optional.of(new Journal(database, connection, epoch.get()));
      }
    } catch (SQLException problem) {
      connection.close();
      throw new SQLException(database.sentence(problem), problem.getSQLState(), problem);
    }
    connection.close();
    return Optional.empty();
  }

  /** What is in it, for readers beside the writer. */
  public History history() throws SQLException {
    return History.of(database);
  }

  public Database database() {
    return database;
  }

  public long epoch() {
    return epoch;
  }

  /** How many batches there are. */
  public long position() {
    return position;
  }

  /**
   * Hands over every batch behind a position, in order; from the beginning (0) what the newest
   * checkpoint holds stands for all before it.
   */
  public void read(long from, Consumer<Batch> reader) throws SQLException {
    connection.setAutoCommit(false);
    long after = from;
    if (from == 0) {
      Optional<Checkpoints.Checkpoint> newest = Checkpoints.newest(connection);
      if (newest.isPresent()) {
        Checkpoints.read(connection, newest.get(), reader);
        after = newest.get().position();
      }
    }
    try (PreparedStatement select =
        connection.prepareStatement(
            "select position, batch from journal where position > ? order by position")) {
      select.setFetchSize(1000);
      select.setLong(1, after);
      long last = after;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          last = Rows.next(last, rows.getLong(1));
          reader.accept(Rows.batch(last, rows.getString(2)));
        }
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Makes a batch durable; when this returns a power loss cannot take it back. */
  public void append(Batch batch) throws SQLException {
    String line = batch.line();
    long begun = System.nanoTime();
    try {
      insert(line);
    } catch (SQLException problem) {
      if (!database.shared() || !Database.lost(problem)) {
        throw problem;
      }
      begun = again(problem, () -> written() || insert(line));
    }
    confirmed = begun;
    position++;
  }

  /** Writes down a state as of a position, beside whoever appends. */
  public void checkpoint(long at, Instant time, List<Entry> state) throws SQLException {
    try (Connection beside = database.connectToWrite()) {
      Checkpoints.write(beside, at, time, state);
    }
  }

  /** Lets go of batches older than that, as far as a checkpoint stands for them; tells how many. */
  public long trim(Instant before) throws SQLException {
    try (Connection beside = database.connectToWrite()) {
      return Checkpoints.trim(beside, before);
    }
  }

  /** Up to where the newest checkpoint goes, 0: there is none. */
  public long checkpointed() throws SQLException {
    try (Connection beside = database.connect()) {
      return Checkpoints.newest(beside).map(Checkpoints.Checkpoint::position).orElse(0L);
    }
  }

  /** Up to where somebody outside was told; nothing: nobody was ever told. */
  public OptionalLong told(String whom) throws SQLException {
    try (Connection beside = database.connect()) {
      return Bookmarks.read(beside, whom);
    }
  }

  /** Somebody outside was told up to there. */
  public void told(String whom, long upTo) throws SQLException {
    try (Connection beside = database.connectToWrite()) {
      Bookmarks.write(beside, whom, upTo);
    }
  }

  /** Gives the room of what is gone back to the disk; nobody may append meanwhile. */
  public void shrink() throws SQLException {
    if (database.h2()) {
      try (Statement statement = connection.createStatement()) {
        boolean _ = CreationMask.ownerOnly(() -> statement.execute("shutdown compact"));
      }
      connection = database.connectToWrite();
    }
  }

  /** Tells the database that this leader lives. */
  public void renew() throws SQLException {
    if (database.shared()) {
      long begun = System.nanoTime();
      try {
        requireLeading(Leadership.renew(connection, epoch));
        held = held || Leadership.hold(connection, epoch);
      } catch (SQLException problem) {
        if (!Database.lost(problem)) {
          throw problem;
        }
        begun = again(problem, () -> Leadership.renew(connection, epoch));
      }
      confirmed = begun;
    }
  }

  /** Whether the lease ran out as far as this process can tell: another one may lead by now. */
  public boolean lapsed() {
    return database.shared() && System.nanoTime() - confirmed > LEASE.toNanos();
  }

  /** What the connection waits for before it calls something done. */
  String durable() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show synchronous_commit")) {
      row.next();
      return row.getString(1);
    }
  }

  private boolean insert(String line) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setLong(1, position + 1);
      insert.setString(2, line);
      insert.setLong(3, epoch);
      requireLeading(insert.executeUpdate() == 1);
    }
    if (database.h2()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("checkpoint sync");
      }
    }
    return true;
  }

  private void requireLeading(boolean leading) {
    if (!leading) {
      throw new Fenced(
          "another control plane leads since epoch " + epoch + " of this one has ended");
    }
  }

  /** Whether the row at our place is there; of another epoch, it is another's place. */
  private boolean written() throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select epoch from journal where position = ?")) {
      select.setLong(1, position + 1);
      try (ResultSet row = select.executeQuery()) {
        boolean there = row.next();
        requireLeading(!there || row.getLong(1) == epoch);
        return there;
      }
    }
  }

  /** Something asked of the database that may have to be asked again. */
  private interface Try {
    boolean done() throws SQLException;
  }

  /** Connects again and tries until the lease is over; tells when the try that did it began. */
  private long again(SQLException lost, Try what) throws SQLException {
    long deadline = confirmed + LEASE.toNanos();
    while (System.nanoTime() < deadline) {
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      long begun = System.nanoTime();
      try {
        reconnect();
        requireLeading(what.done());
        return begun;
      } catch (SQLException still) {
        if (!Database.lost(still) && !DUPLICATE.equals(still.getSQLState())) {
          throw still;
        }
      }
    }
    throw lost;
  }

  private void reconnect() throws SQLException {
    connection.abort(Runnable::run);
    connection = database.connectToWrite();
    Leadership.end(connection, epoch);
    held = Leadership.hold(connection, epoch);
  }

  /** Gives the lead up: whoever waits for it need not wait for the lease to end. */
  @Override
  public void close() throws SQLException {
    if (database.shared() && !lapsed()) {
      try {
        connection.setNetworkTimeout(Runnable::run, (int) TimeUnit.SECONDS.toMillis(2));
        Leadership.release(connection, epoch);
      } catch (SQLException gone) {
        connection.abort(Runnable::run);
        return;
      }
    }
    connection.close();
  }
}
