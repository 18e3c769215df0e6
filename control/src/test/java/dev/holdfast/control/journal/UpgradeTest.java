package dev.holdfast.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.report.Report;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals of earlier versions, and peers of other versions. */
class UpgradeTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  /** As version 0.1 wrote them before it knew of leases and checkpoints. */
  private static final List<String> FIRST_SCHEMA =
      List.of(
          "create table schema_steps (step int primary key)",
          "create table leader (epoch bigint not null)",
          "insert into leader (epoch) values (3)",
          "create table journal (position bigint primary key, epoch bigint not null, batch text not"
              + " null)",
          "insert into schema_steps (step) values (1)",
          """
          insert into journal values (1, 3, '{"at":"2026-11-15T00:00:00.000Z","entries":[\
          {"kind":"source.heard","source":"node/n1","epoch":7,"sequence":2},\
          {"kind":"node.noted","subject":"node/n1","actor":"person/ann","text":"new"}]}')""",
          """
          insert into journal values (2, 3, '{"at":"2026-11-15T00:01:00.000Z","entries":[\
          {"kind":"incident.opened","incident":"i-1","cause":"node n1","title":"lost"}]}')""");

  @TempDir Path folder;

  @Test
  void aJournalOfTheFirstSchemaIsUpgradedAndGoesOn() throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:file:" + folder.resolve("journal"));
        Statement statement = connection.createStatement()) {
      for (String sql : FIRST_SCHEMA) {
        statement.execute(sql);
      }
    }
    try (History look = History.embedded(folder)) {
      assertThat(look.base(_ -> {})).isZero();
      assertThat(look.after(0, 10)).hasSize(2);
    }
    try (Journal journal = Journal.embedded(folder)) {
      assertThat(journal.epoch()).isEqualTo(4);
      ClusterState state = new ClusterState();
      journal.read(0, state::apply);
      assertThat(state.cursor("node/n1").sequence()).isEqualTo(2);
      assertThat(state.openIncidents()).hasSize(1);
      journal.append(new Batch(TIME, List.of(new SourceEntry.Heard("node/n1", 7, 3))));
      journal.checkpoint(3, TIME, state.kept());
    }
    try (Journal journal = Journal.embedded(folder)) {
      assertThat(journal.position()).isEqualTo(3);
    }
  }

  @Test
  void anEntryOfAnUnknownKindIsNotReadOver() throws Exception {
    try (Journal journal = Journal.embedded(folder)) {
      journal.append(new Batch(TIME, List.of(new SourceEntry.Heard("node/n1", 7, 3))));
      try (Connection beside = journal.database().connect();
          Statement statement = beside.createStatement()) {
        statement.execute(
            "update journal set batch = replace(batch, 'source.heard', 'source.new')");
      }
      assertThatThrownBy(() -> journal.read(0, _ -> {}))
          .isInstanceOf(SQLException.class)
          .hasMessage("batch 1 of the journal cannot be read: no such kind of entry: source.new");
    }
  }

  @Test
  void whatALaterAgentSaysIsTakenOrLeftAsideAndNeverStops() {
    ClusterState state = new ClusterState();
    Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
    Told told = Told.node("n1");
    String described = told.say(Told.described("n1", "r", "l")).line();
    String lost = told.say(Told.lostGpu("n1", 2)).line();
    List<Report> reports =
        List.of(
            Report.of(described.replaceFirst("\\{", "{\"colour\":{\"of\":[1,2]},")),
            Report.of(
                lost.replaceFirst("\"sequence\":2", "\"sequence\":3")
                    .replaceFirst("\"severity\"", "\"mood\":\"grim\",\"severity\"")),
            Report.of(
                "{\"source\":\"node/n1\",\"epoch\":1,\"sequence\":2,\"at\":\"2026-11-15T00:00:00Z\","
                    + "\"kind\":\"dreamt\",\"of\":\"sheep\"}"));
    decider.decide(
        new Input.Reported("node/n1", List.of(reports.get(0), reports.get(2), reports.get(1))),
        TIME);
    assertThat(state.cursor("node/n1").sequence()).isEqualTo(3);
    assertThat(state.reportsStrange()).isEqualTo(1);
    assertThat(state.findingsOf("n1")).hasSize(1);
  }
}
