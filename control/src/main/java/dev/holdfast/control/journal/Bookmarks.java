package dev.holdfast.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Up to which position somebody outside was told what is in the journal. They are kept with it, so
 * that whoever leads next goes on where the one before was.
 */
final class Bookmarks {
  private Bookmarks() {}

  static OptionalLong read(Connection connection, String name) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select position from bookmarks where name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  static void write(Connection connection, String name, long position) throws SQLException {
    if (!set(connection, "update bookmarks set position = ? where name = ?", name, position)) {
      set(connection, "insert into bookmarks (position, name) values (?, ?)", name, position);
    }
  }

  private static boolean set(Connection connection, String sql, String name, long position)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, position);
      statement.setString(2, name);
      return statement.executeUpdate() > 0;
    }
  }
}
