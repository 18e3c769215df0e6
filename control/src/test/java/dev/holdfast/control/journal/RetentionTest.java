package dev.holdfast.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.Retention;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.StateText;
import dev.holdfast.control.testing.Told;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");
  private static final Duration KEEP = Duration.ofDays(90);

  @TempDir Path folder;

  private static Engine engine(Journal journal, Instant now) throws SQLException {
    ClusterState state = new ClusterState();
    Engine engine =
        new Engine(
            state,
            new Decider(state, Rules.usual(), _ -> Rules.usual()),
            journal,
            Clock.fixed(now, ZoneOffset.UTC));
    return engine;
  }

  /** A node is born, breaks and is mended; on a day of its own. */
  private static void day(Engine engine, int number) throws Exception {
    Told told = Told.node("n" + number);
    submit(
        engine,
        new Input.Reported(
            "node/n" + number,
            List.of(
                told.say(Told.described("n" + number, "r", "l")),
                told.say(Told.linkDown("n" + number)),
                told.say(Told.lostGpu("n" + number, 1)))));
    submit(engine, new Input.Wished("ann", new Wish.Note("node/n" + number, "seen")));
  }

  private static void submit(Engine engine, Input input) throws Exception {
    assertThat(engine.submit(input).get(10, TimeUnit.SECONDS)).isEmpty();
  }

  private static Retention retention(Engine engine, Journal journal, Instant now)
      throws SQLException {
    return new Retention(engine, journal, KEEP, Clock.fixed(now, ZoneOffset.UTC));
  }

  @Test
  void aYearOfDaysKeepsNinetyAndTheStateIsTheSame() throws Exception {
    ClusterState whole = new ClusterState();
    String before = "";
    for (int day = 0; day < 360; day += 30) {
      Instant now = TIME.plus(Duration.ofDays(day));
      try (Journal journal = Journal.embedded(folder);
          Engine engine = engine(journal, now)) {
        engine.listen(batch -> whole.apply(Batch.of(batch.line())));
        engine.start(new Heartbeats());
        day(engine, day);
        submit(engine, new Input.Forget(now.minus(KEEP)));
        try (Retention retention = retention(engine, journal, now)) {
          retention.run();
        }
        day(engine, day + 1);
      }
      try (Journal journal = Journal.embedded(folder)) {
        ClusterState state = new ClusterState();
        journal.read(0, state::apply);
        before = StateText.of(state);
        assertThat(before).isEqualTo(StateText.of(whole));
      }
    }
    try (History history = History.embedded(folder)) {
      List<History.Row> rows = history.after(0, 10_000);
      Instant oldest = Batch.of(rows.getFirst().batch()).at();
      assertThat(oldest)
          .isAfter(TIME.plus(Duration.ofDays(330)).minus(KEEP).minus(Duration.ofDays(61)));
      // The oldest kept batches begin where a checkpoint ends, and give the same state.
      ClusterState state = new ClusterState();
      long base = history.base(state::apply);
      assertThat(base).isPositive().isEqualTo(rows.getFirst().position() - 1);
      rows.forEach(row -> state.apply(Batch.of(row.batch())));
      assertThat(StateText.of(state)).isEqualTo(before);
    }
  }

  @Test
  void aCheckpointThatWasNotFinishedDoesNotCount() throws Exception {
    String expected;
    try (Journal journal = Journal.embedded(folder);
        Engine engine = engine(journal, TIME)) {
      engine.start(new Heartbeats());
      for (int i = 0; i < 10; i++) {
        day(engine, i);
      }
      engine.close();
      expected = StateText.of(engine.state());
      try (Connection beside = journal.database().connect();
          Statement statement = beside.createStatement()) {
        statement.execute("insert into checkpoint_parts values (7, 1, 'half of it')");
      }
    }
    try (Journal journal = Journal.embedded(folder);
        Engine engine = engine(journal, TIME)) {
      assertThat(StateText.of(engine.state())).isEqualTo(expected);
      engine.start(new Heartbeats());
      try (Retention retention = retention(engine, journal, TIME)) {
        retention.run();
      }
      try (Connection beside = journal.database().connect();
          Statement statement = beside.createStatement();
          var row =
              statement.executeQuery("select count(*) from checkpoint_parts where position = 7")) {
        row.next();
        assertThat(row.getInt(1)).isZero();
      }
    }
  }

  @Test
  void whatKeepsTheJournalFromLettingGoIsTold() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(TIME);
    InstantSource clock = now::get;
    try (Journal journal = Journal.embedded(folder);
        Engine engine = engine(journal, TIME);
        Retention retention =
            new Retention(engine, journal, KEEP, clock.withZone(ZoneOffset.UTC))) {
      engine.start(new Heartbeats());
      day(engine, 1);
      try (Connection beside = journal.database().connect();
          Statement statement = beside.createStatement()) {
        statement.execute("drop table checkpoint_parts");
      }
      now.set(TIME.plus(Duration.ofDays(2)));
      retention.start(new Heartbeats());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (engine.meters().untrimmed().isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(end);
        Thread.sleep(10);
      }
      assertThat(engine.meters().untrimmed().orElseThrow())
          .startsWith("the journal could not be trimmed: ");
      day(engine, 2);
    }
  }

  @Test
  void aGapIsToldAndNotReadOver() throws Exception {
    try (Journal journal = Journal.embedded(folder)) {
      for (int i = 0; i < 5; i++) {
        journal.append(new Batch(TIME, new ArrayList<Entry>()));
      }
      try (Connection beside = journal.database().connect();
          Statement statement = beside.createStatement()) {
        statement.execute("delete from journal where position in (2, 3)");
      }
      assertThatThrownBy(() -> journal.read(0, _ -> {}))
          .hasMessage("batches 2 to 3 of the journal are missing");
    }
  }

  @Test
  void aDatabaseOfALaterVersionIsRefusedInWords() throws Exception {
    Journal.embedded(folder).close();
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:file:" + folder.resolve("journal"));
        Statement statement = connection.createStatement()) {
      statement.execute("insert into schema_steps values (99)");
    }
    assertThatThrownBy(() -> Journal.embedded(folder))
        .hasMessageContaining("later version of Holdfast (schema 99");
  }
}
