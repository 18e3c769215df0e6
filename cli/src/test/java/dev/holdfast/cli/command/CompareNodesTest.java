package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareNodesTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Style.PLAIN,
            100);
    return Main.run(console, arguments);
  }

  private String snapshot(String node, String kernel) throws IOException {
    byte[] archive =
        SnapshotArchive.write(
            Map.of(
                "about",
                "node=" + node + "\ntime=2026-01-01T12:00:00Z\n",
                "root/proc/sys/kernel/osrelease",
                kernel),
            Instant.EPOCH,
            "test");
    return Files.write(folder.resolve(node + ".zip"), archive).toString();
  }

  @Test
  void anOddNodeMeansExitCodeOne() throws IOException {
    String first = snapshot("n1", "6.8");
    String second = snapshot("n2", "6.8");
    String third = snapshot("n3", "5.15");
    assertThat(run("doctor", "--compare", first, second, third)).isEqualTo(1);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("one is odd", "n3");
    out.reset();
    assertThat(run("doctor", "--compare", first, second, "--format", "json")).isZero();
    assertThat(Json.object(out.toString(StandardCharsets.UTF_8)))
        .containsEntry("schema", "holdfast.compare/1");
  }

  @Test
  void fewerThanTwoReadableSnapshotsAreWrongInput() throws IOException {
    assertThat(run("doctor", "--compare", snapshot("n1", "6.8"), folder + "/none.zip"))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("none.zip: no such file", "at least two snapshots", "found 1");
  }

  @Test
  void onlyTablesAndJsonAreWritten() throws IOException {
    String one = snapshot("n1", "6.8");
    assertThat(run("doctor", "--compare", one, one, "--format", "junit")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("HF-1001", "table or json");
  }
}
