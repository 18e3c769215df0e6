package dev.holdfast.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables, step by step; each step runs once, in one transaction, on either database. */
final class Schema {
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "create table leader (epoch bigint not null)",
              "insert into leader (epoch) values (0)",
              "create table journal (position bigint primary key, epoch bigint not null, batch"
                  + " text not null)"));

  private Schema() {}

  static void migrate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists schema_steps (step int primary key)");
      connection.commit();
      int done;
      try (ResultSet row =
          statement.executeQuery("select coalesce(max(step), 0) from schema_steps")) {
        row.next();
        done = row.getInt(1);
      }
      if (done > STEPS.size()) {
        throw new SQLException(
            "the database was written by a later version (step %d, this one knows %d)"
                .formatted(done, STEPS.size()));
      }
      for (int step = done; step < STEPS.size(); step++) {
        for (String sql : STEPS.get(step)) {
          statement.execute(sql);
        }
        try (PreparedStatement note =
            connection.prepareStatement("insert into schema_steps (step) values (?)")) {
          note.setInt(1, step + 1);
          note.executeUpdate();
        }
        connection.commit();
      }
    }
  }
}
