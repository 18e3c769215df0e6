package dev.holdfast.control.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, step by step; each step runs once, in one transaction, on either database. H2 ends a
 * transaction at each of them, so each may also run again. A step only adds, so that a control
 * plane of the version before goes on beside it until it is replaced.
 */
final class Schema {
  /** Keeps two that start at once from making the tables twice. */
  private static final long MIGRATING = 0x484f4c444641L;

  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "create table if not exists leader (epoch bigint not null)",
              "insert into leader (epoch) select 0 where not exists (select 1 from leader)",
              "create table if not exists journal (position bigint primary key, epoch bigint not null, batch"
                  + " text not null)"),
          List.of(
              "alter table leader add column if not exists address varchar(1000) default '' not null",
              "alter table leader add column if not exists lease_until timestamp with time zone"),
          List.of(
              "create table if not exists checkpoints (position bigint primary key, parts int not"
                  + " null, at varchar(40) not null)",
              "create table if not exists checkpoint_parts (position bigint not null, part int not"
                  + " null, batch text not null, primary key (position, part))"),
          List.of(
              "create table if not exists bookmarks (name varchar(200) primary key, position bigint"
                  + " not null)"));

  private Schema() {}

  static void migrate(Connection connection, boolean shared) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      if (shared) {
        statement.execute("select pg_advisory_xact_lock(" + MIGRATING + ")");
      }
      statement.execute("create table if not exists schema_steps (step int primary key)");
      int done;
      try (ResultSet row =
          statement.executeQuery("select coalesce(max(step), 0) from schema_steps")) {
        row.next();
        done = row.getInt(1);
      }
      if (done > STEPS.size()) {
        throw new SQLException(
            ("it was written by a later version of Holdfast (schema %d, this one knows %d);"
                    + " start that version, or restore a backup made by this one")
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
      }
      connection.commit();
    } catch (SQLException problem) {
      connection.rollback();
      throw problem;
    }
  }
}
