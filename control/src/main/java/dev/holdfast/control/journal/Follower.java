package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads along while another control plane leads, and takes its place when it is gone: when its
 * lease has run out, or its connection is not there for {@link #VANISHED}. A database that does not
 * answer changes nothing; nobody can lead then.
 */
public final class Follower implements AutoCloseable {
  /** A leader that only lost its connection is back sooner. */
  static final Duration VANISHED = Duration.ofSeconds(3);

  private static final int ROWS = 1_000;
  private static final int MOST_PAGES = 50;

  private final Database database;
  private final String address;
  private final Consumer<Batch> reader;
  private @Nullable History history;
  private volatile long position;
  private volatile Optional<Leader> leader = Optional.empty();
  private volatile Optional<String> problem = Optional.empty();
  private long goneEpoch;
  private long goneSince;

  /**
   * @param address where this control plane is reached once it leads
   * @param reader gets every batch, in order
   */
  public Follower(Database database, String address, Consumer<Batch> reader) {
    this.database = database;
    this.address = address;
    this.reader = reader;
  }

  /** Looks once; the journal when this control plane leads from now on. */
  public Optional<Journal> look() {
    try {
      Optional<Journal> won = lookOnce();
      problem = Optional.empty();
      return won;
    } catch (SQLException failed) {
      problem = Optional.of(database.sentence(failed));
      goneSince = 0;
      close();
      return Optional.empty();
    }
  }

  private Optional<Journal> lookOnce() throws SQLException {
    if (history == null) {
      Optional<Journal> first = Journal.lead(database, address);
      if (first.isPresent()) {
        return first;
      }
      history = History.of(database);
    }
    History open = history;
    if (position == 0) {
      position = open.newest(reader);
    }
    follow(open);
    Optional<Leader> now = open.leader();
    leader = now;
    if (now.isEmpty() || !now.get().live()) {
      return Journal.lead(database, address);
    }
    return vanished(open, now.get())
        ? Journal.replace(database, address, now.get())
        : Optional.empty();
  }

  private void follow(History open) throws SQLException {
    for (int page = 0; page < MOST_PAGES; page++) {
      List<History.Row> rows = open.after(position, ROWS);
      for (History.Row row : rows) {
        Batch batch = Rows.batch(Rows.next(position, row.position()), row.batch());
        reader.accept(batch);
        position = row.position();
      }
      if (rows.isEmpty()) {
        return;
      }
    }
  }

  private boolean vanished(History open, Leader now) throws SQLException {
    if (!database.shared() || open.connected(now)) {
      goneSince = 0;
      return false;
    }
    if (goneSince == 0 || goneEpoch != now.epoch()) {
      goneEpoch = now.epoch();
      goneSince = System.nanoTime();
    }
    return System.nanoTime() - goneSince > VANISHED.toNanos();
  }

  /** How many batches the reader has got. */
  public long position() {
    return position;
  }

  /** Who led when this looked last. */
  public Optional<Leader> leader() {
    return leader;
  }

  /** Why it cannot follow; none: it does. */
  public Optional<String> problem() {
    return problem;
  }

  @Override
  public void close() {
    History open = history;
    history = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException gone) {
        // It is of no use any more either way.
        goneSince = 0;
      }
    }
  }
}
