package dev.holdfast.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.testing.PrivatePostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresJournalTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");
  private static PrivatePostgres server;
  private Database database;

  @BeforeAll
  static void start() throws Exception {
    server = PrivatePostgres.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void empty() throws Exception {
    sql("drop table if exists journal, leader, schema_steps, checkpoints, checkpoint_parts");
    database = Database.at(server.url(), Map.of());
  }

  private static void sql(String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private static Batch batch(long number) {
    return new Batch(TIME, List.of(new SourceEntry.Heard("node/n1", 1, number)));
  }

  private static List<Long> numbers(Journal journal) throws SQLException {
    List<Long> read = new ArrayList<>();
    journal.read(
        0,
        batch -> {
          for (Entry entry : batch.entries()) {
            read.add(((SourceEntry.Heard) entry).sequence());
          }
        });
    return read;
  }

  @Test
  void batchesAreReadInTheirOrder() throws Exception {
    try (Journal journal = Journal.lead(database, "http://a").orElseThrow()) {
      for (int i = 1; i <= 2500; i++) {
        journal.append(batch(i));
      }
    }
    try (Journal journal = Journal.lead(database, "http://a").orElseThrow()) {
      assertThat(journal.position()).isEqualTo(2500);
      assertThat(numbers(journal)).hasSize(2500).isSorted();
    }
  }

  @Test
  void onlyOneLeadsAndOneThatLeftNeedNotBeWaitedFor() throws Exception {
    Journal first = Journal.lead(database, "http://a").orElseThrow();
    assertThat(Journal.lead(database, "http://b")).isEmpty();
    first.close();
    try (Journal second = Journal.lead(database, "http://b").orElseThrow()) {
      assertThat(second.epoch()).isEqualTo(first.epoch() + 1);
    }
  }

  @Test
  void theAppendOfAReplacedLeaderCannotLandHoweverLate() throws Exception {
    for (int round = 0; round < 10; round++) {
      try (Journal old = Journal.at(server.url())) {
        AtomicLong acknowledged = new AtomicLong(old.position());
        CountDownLatch going = new CountDownLatch(20);
        CompletableFuture<Throwable> ended =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    while (true) {
                      old.append(batch(old.position() + 1));
                      acknowledged.set(old.position());
                      going.countDown();
                    }
                  } catch (SQLException | Fenced problem) {
                    return problem;
                  }
                });
        assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();
        try (Journal other = Journal.at(server.url())) {
          long since = other.position();
          assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(Fenced.class);
          assertThat(acknowledged.get()).isLessThanOrEqualTo(since);
          other.append(batch(since + 1));
          assertThat(numbers(other)).hasSize((int) since + 1).doesNotHaveDuplicates();
        }
      }
    }
  }

  @Test
  void aRestartOfTheDatabaseUnderLoadLosesAndDoublesNothing() throws Exception {
    try (Journal journal = Journal.lead(database, "http://a").orElseThrow()) {
      CompletableFuture<Void> crashing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < 3; i++) {
                    Thread.sleep(300);
                    server.crash();
                    server.up();
                  }
                } catch (Exception problem) {
                  throw new IllegalStateException(problem);
                }
              });
      long appended = 0;
      while (!crashing.isDone()) {
        appended++;
        journal.append(batch(appended));
      }
      crashing.get();
      assertThat(appended).isGreaterThan(50);
      assertThat(numbers(journal)).hasSize((int) appended).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void aLeaderThatHangsInTheMiddleOfAnAppendIsReplaced() throws Exception {
    Journal hung = Journal.lead(database, "http://a").orElseThrow();
    hung.append(batch(1));
    // What a process leaves behind that is stopped between a statement and its end.
    try (Connection stuck = DriverManager.getConnection(server.url());
        Statement statement = stuck.createStatement()) {
      stuck.setAutoCommit(false);
      hung.close();
      awaitHeld(stuck, hung.epoch());
      statement.execute("select epoch from leader for update");
      try (Journal other = Journal.lead(database, "http://b").orElseThrow()) {
        assertThat(other.epoch()).isEqualTo(hung.epoch() + 1);
        other.append(batch(2));
      }
      assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
    }
  }

  /** What a closed connection held is free once the database has noticed. */
  private static void awaitHeld(Connection connection, long epoch) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!Leadership.hold(connection, epoch)) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(10);
    }
  }

  @Test
  void aLeaderThatLostItsConnectionHoldsTheNextOneAsItsOwn() throws Exception {
    try (Journal leader = Journal.lead(database, "http://a").orElseThrow();
        Connection beside = DriverManager.getConnection(server.url())) {
      leader.append(batch(1));
      sql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
      leader.append(batch(2));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (!Leadership.connected(beside, leader.epoch())) {
        assertThat(System.nanoTime()).isLessThan(end);
        leader.renew();
      }
      assertThat(leader.position()).isEqualTo(2);
    }
  }

  @Test
  void whoeverLeadsNextKnowsWhatWasTold() throws Exception {
    try (Journal leader = Journal.lead(database, "http://a").orElseThrow()) {
      assertThat(leader.told("somebody")).isEmpty();
      leader.told("somebody", 7);
      leader.told("somebody", 9);
    }
    try (Journal next = Journal.lead(database, "http://b").orElseThrow()) {
      assertThat(next.told("somebody")).hasValue(9);
      assertThat(next.told("another")).isEmpty();
    }
  }

  @Test
  void aFollowerReadsAlongAndTakesOverWhenTheLeaderIsGone() throws Exception {
    List<Batch> seen = new ArrayList<>();
    try (Follower follower = new Follower(database, "http://b", seen::add)) {
      Journal leader = Journal.lead(database, "http://a").orElseThrow();
      leader.append(batch(1));
      leader.append(batch(2));
      assertThat(follower.look()).isEmpty();
      assertThat(seen).hasSize(2);
      assertThat(follower.leader().map(Leader::address)).contains("http://a");
      leader.append(batch(3));
      assertThat(follower.look()).isEmpty();
      assertThat(seen).hasSize(3);
      // Its process is gone, its lease runs on.
      sql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
      long begun = System.nanoTime();
      Optional<Journal> won = Optional.empty();
      while (won.isEmpty() && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(8)) {
        Thread.sleep(100);
        won = follower.look();
      }
      try (Journal journal = won.orElseThrow()) {
        assertThat(journal.position()).isEqualTo(3);
        assertThatThrownBy(() -> leader.append(batch(4))).isInstanceOf(Fenced.class);
      }
    }
  }

  @Test
  void aFollowerMayBeginWithACheckpoint() throws Exception {
    try (Journal leader = Journal.lead(database, "http://a").orElseThrow()) {
      for (int i = 1; i <= 30; i++) {
        leader.append(batch(i));
      }
      leader.checkpoint(30, TIME, batch(30).entries());
      leader.append(batch(31));
      assertThat(leader.trim(TIME.plusSeconds(1))).isEqualTo(30);
      List<Batch> seen = new ArrayList<>();
      try (Follower follower = new Follower(database, "http://b", seen::add)) {
        assertThat(follower.look()).isEmpty();
        assertThat(follower.position()).isEqualTo(31);
        assertThat(seen).hasSize(2);
      }
    }
    try (Journal next = Journal.lead(database, "http://a").orElseThrow()) {
      assertThat(next.position()).isEqualTo(31);
      assertThat(numbers(next)).containsExactly(30L, 31L);
    }
  }

  @Test
  void whatWouldNotSurviveAPowerLossIsNotTaken() throws Exception {
    sql("alter role current_user set synchronous_commit to off");
    try (Journal journal = Journal.lead(database, "http://a").orElseThrow();
        History look = journal.history()) {
      assertThat(look.leader()).isPresent();
      assertThat(journal.durable()).isEqualTo("on");
    } finally {
      sql("alter role current_user reset synchronous_commit");
    }
  }

  @Test
  void thePasswordIsInNoMessage() {
    Database wrong = Database.at(server.plainUrl() + "?user=x&password=secret", Map.of());
    assertThat(wrong.toString()).doesNotContain("secret");
    assertThatThrownBy(wrong::connect)
        .hasMessageContaining("password authentication failed")
        .hasMessageNotContaining("secret");
    Database nowhere = Database.at("jdbc:postgresql://127.0.0.1:99999/x?password=secret", Map.of());
    assertThatThrownBy(nowhere::connect).hasMessageNotContaining("secret");
  }

  @Test
  void userAndPasswordMayComeFromTheEnvironment() throws Exception {
    Database quiet =
        Database.at(
            server.plainUrl(), Map.of("PGUSER", server.user(), "PGPASSWORD", server.password()));
    try (Journal journal = Journal.lead(quiet, "http://a").orElseThrow()) {
      journal.append(batch(1));
      assertThat(journal.position()).isEqualTo(1);
    }
  }

  @Test
  void twoThatStartAtOnceMakeTheTablesOnce() throws Exception {
    List<CompletableFuture<Boolean>> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return Journal.lead(database, "http://a").isPresent();
                } catch (SQLException problem) {
                  throw new IllegalStateException(problem);
                }
              }));
    }
    int leading = 0;
    for (var start : starts) {
      leading += start.get(20, TimeUnit.SECONDS) ? 1 : 0;
    }
    assertThat(leading).isEqualTo(1);
  }
}
