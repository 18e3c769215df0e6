package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.journal.History;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.testing.PrivatePostgres;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCommandsTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  @TempDir Path folder;
  private final TestConsole console = new TestConsole();

  private Path journal(int batches) throws Exception {
    Path state = Files.createDirectories(folder.resolve("state"));
    try (Journal journal = Journal.embedded(state)) {
      for (int i = 1; i <= batches; i++) {
        journal.append(
            new Batch(
                TIME.plusSeconds(i),
                List.of(
                    new SourceEntry.Heard("node/n" + i % 10, 1, i),
                    new NodeEntry.Noted("node/n" + i % 10, "ann", "seen " + i))));
      }
    }
    return state;
  }

  private static List<History.Row> rows(Path state) throws Exception {
    try (History history = History.embedded(state)) {
      return history.after(0, 100_000);
    }
  }

  @Test
  void whatIsSavedCanBeBroughtBack() throws Exception {
    Path state = journal(300);
    Path file = folder.resolve("saved.gz");
    assertThat(console.run("journal", "backup", file.toString(), "--state=" + state))
        .as(console.err())
        .isZero();
    assertThat(console.run("journal", "check", file.toString())).isZero();
    assertThat(console.out()).contains("300 batches from 2026-11-15T00:00:01.000Z");
    Path other = folder.resolve("other");
    assertThat(console.run("journal", "restore", file.toString(), "--state=" + other))
        .as(console.err())
        .isZero();
    assertThat(rows(other)).isEqualTo(rows(state));
    // A second time there is something that must not be lost.
    assertThat(console.run("journal", "restore", file.toString(), "--state=" + other)).isEqualTo(3);
    assertThat(console.err()).contains("there is a journal in " + other);
    try (Journal goesOn = Journal.embedded(other)) {
      goesOn.append(new Batch(TIME, List.of()));
      assertThat(goesOn.position()).isEqualTo(301);
    }
  }

  @Test
  void aCompactedJournalIsSavedWithTheStateItBeginsWith() throws Exception {
    Path state = journal(300);
    assertThat(console.run("journal", "compact", "--state=" + state)).as(console.err()).isZero();
    assertThat(console.run("journal", "compact", "--state=" + state, "--keep=1s")).isZero();
    assertThat(rows(state)).isEmpty();
    try (Journal journal = Journal.embedded(state)) {
      journal.append(
          new Batch(TIME.plusSeconds(400), List.of(new SourceEntry.Heard("node/n1", 1, 400))));
    }
    Path file = folder.resolve("saved.gz");
    assertThat(console.run("journal", "backup", file.toString(), "--state=" + state)).isZero();
    Path other = folder.resolve("other");
    assertThat(console.run("journal", "restore", file.toString(), "--state=" + other)).isZero();
    try (Journal journal = Journal.embedded(other)) {
      ClusterState found = new ClusterState();
      journal.read(0, found::apply);
      assertThat(journal.position()).isEqualTo(301);
      assertThat(found.nodeCount()).isEqualTo(10);
      assertThat(found.remarks().get("node/n3")).hasSize(30);
      assertThat(found.cursor("node/n1").sequence()).isEqualTo(400);
    }
  }

  @Test
  void aRunningControlPlaneIsAskedForItsJournal() throws Exception {
    Path state = journal(20);
    try (ControlPlane control =
        new ControlPlane(
            Journal.embedded(state),
            DefaultPolicy.policy(),
            _ -> DefaultPolicy.policy(),
            "127.0.0.1",
            0,
            Clock.systemUTC())) {
      Path file = folder.resolve("saved.gz");
      assertThat(
              console.run(
                  "journal",
                  "backup",
                  file.toString(),
                  "--server=http://127.0.0.1:" + control.port()))
          .as(console.err())
          .isZero();
    }
    assertThat(console.run("journal", "check", folder.resolve("saved.gz").toString())).isZero();
    assertThat(console.out()).contains("10 nodes");
  }

  @Test
  void aTokenTheControlPlaneDoesNotKnowIsSaidToBeTheReason() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "stale");
    try (ControlPlane control =
        new ControlPlane(
            Journal.embedded(journal(20)),
            DefaultPolicy.policy(),
            _ -> DefaultPolicy.policy(),
            "127.0.0.1",
            0,
            Clock.systemUTC())) {
      String file = folder.resolve("saved.gz").toString();
      String server = "--server=http://127.0.0.1:" + control.port();
      assertThat(console.run("journal", "backup", file, server, "--token-file=" + token))
          .isEqualTo(3);
      assertThat(console.err())
          .contains("HF-1505", "this token is unknown, revoked or expired")
          .doesNotContain("schema");
      assertThat(folder.resolve("saved.gz")).doesNotExist();
    }
  }

  @Test
  void damagedBackupsAreRefusedBeforeAnythingIsTouched() throws Exception {
    Path file = folder.resolve("saved.gz");
    console.run("journal", "backup", file.toString(), "--state=" + journal(200));
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(3);
    for (int i = 0; i < 40; i++) {
      byte[] bad = whole.clone();
      if (i % 2 == 0) {
        bad = java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
      } else {
        bad[random.nextInt(whole.length - 12) + 10] ^= (byte) (1 << random.nextInt(8));
      }
      Path broken = Files.write(folder.resolve("broken" + i), bad);
      Path other = folder.resolve("other" + i);
      TestConsole each = new TestConsole();
      int code = each.run("journal", "restore", broken.toString(), "--state=" + other);
      assertThat(code).as("damage " + i).isNotZero();
      assertThat(each.err()).contains("broken" + i).doesNotContain("HF-1901", "Exception");
      assertThat(other).doesNotExist();
    }
  }

  @Test
  void unreadableBatchesAndGapsAreNamed() throws Exception {
    Path state = journal(30);
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:file:" + state.resolve("journal"));
        Statement statement = connection.createStatement()) {
      statement.execute("update journal set batch = '{\"at\":1}' where position = 7");
      statement.execute(
          "update journal set batch = replace(batch, 'node.noted', 'node.new') where position = 9");
      statement.execute("delete from journal where position between 11 and 13");
    }
    assertThat(console.run("journal", "check", "--state=" + state)).isOne();
    assertThat(console.out())
        .contains(
            "batch 7 cannot be read:",
            "batch 9 cannot be read: no such kind of entry: node.new",
            "batches 11 to 13 are missing");
  }

  @Test
  void damagedFilesAreToldInASentence() throws Exception {
    Path state = journal(400);
    Path file = state.resolve("journal.mv.db");
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(5);
    for (int i = 0; i < 12; i++) {
      if (i % 3 == 0) {
        Files.write(file, whole);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(random.nextInt(whole.length));
        }
      } else {
        byte[] bad = whole.clone();
        int from = i % 3 == 1 ? 0 : random.nextInt(bad.length - 5000);
        for (int at = from; at < from + 5000; at++) {
          bad[at] = (byte) random.nextInt();
        }
        Files.write(file, bad);
      }
      TestConsole each = new TestConsole();
      int code = each.run("journal", "check", "--state=" + state);
      assertThat(code).as(each.err()).isBetween(0, 3);
      assertThat(each.err()).doesNotContain("HF-1901", "\tat ", "Exception");
      if (code == 3) {
        assertThat(each.err()).contains("HF-1511").contains("the journal in " + state);
      }
    }
  }

  @Test
  void aJournalMovesFromFilesToPostgresAndBack() throws Exception {
    Path state = journal(50);
    Path file = folder.resolve("saved.gz");
    console.run("journal", "backup", file.toString(), "--state=" + state);
    try (PrivatePostgres server = PrivatePostgres.start()) {
      String database = "--database=" + server.url();
      assertThat(console.run("journal", "restore", file.toString(), database))
          .as(console.err())
          .isZero();
      assertThat(console.run("journal", "restore", file.toString(), database)).isEqualTo(3);
      assertThat(console.err()).contains("is not empty").doesNotContain(server.password());
      Path again = folder.resolve("again.gz");
      assertThat(console.run("journal", "backup", again.toString(), database)).isZero();
      Path back = folder.resolve("back");
      assertThat(console.run("journal", "restore", again.toString(), "--state=" + back)).isZero();
      assertThat(rows(back)).isEqualTo(rows(state));
    }
  }
}
