package dev.holdfast.control.journal;

import dev.holdfast.control.entry.Batch;
import java.sql.SQLException;

/** How rows of the journal are read: one after the other, none left out, each a batch. */
final class Rows {
  private Rows() {}

  /** The position of a row, which must be the one behind the last. */
  static long next(long last, long position) throws SQLException {
    if (position != last + 1) {
      throw new SQLException(
          "batches %d to %d of the journal are missing".formatted(last + 1, position - 1));
    }
    return position;
  }

  static Batch batch(long position, String line) throws SQLException {
    try {
      return Batch.of(line);
    } catch (IllegalArgumentException unreadable) {
      throw new SQLException(
          "batch %d of the journal cannot be read: %s".formatted(position, unreadable.getMessage()),
          unreadable);
    }
  }
}
