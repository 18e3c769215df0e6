package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recording this very machine. */
class SnapshotCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Style.PLAIN,
            100);
    return Main.run(console, arguments);
  }

  private List<Path> files() throws IOException {
    try (var list = Files.list(folder)) {
      return list.toList();
    }
  }

  @Test
  void aSnapshotOfThisMachineIsExaminedFromItsFile() throws IOException {
    assertThat(run("snapshot", "-o", folder.toString(), "--format", "json")).isZero();
    var told = Json.object(out.toString(StandardCharsets.UTF_8));
    assertThat(told)
        .containsEntry("schema", "holdfast.snapshot/1")
        .containsEntry("serialsBlanked", true);
    assertThat(files()).hasSize(1);
    Path file = files().getFirst();
    assertThat(file.getFileName().toString()).matches("holdfast-.+-\\d{8}T\\d{6}Z\\.zip");
    assertThat(run("doctor", "--from", file.toString(), "--format", "json")).isIn(0, 1);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("holdfast.doctor/1", SnapshotArchive.open(file).name());
  }

  @Test
  void anExistingFileIsNotReplacedUnlessForced() throws IOException {
    Path file = Files.writeString(folder.resolve("x.zip"), "old");
    assertThat(run("snapshot", "-o", file.toString())).isEqualTo(3);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("HF-1006", "--force");
    assertThat(file).hasContent("old");
    assertThat(run("snapshot", "-o", file.toString(), "--force")).isZero();
    assertThat(SnapshotArchive.open(file).name()).isNotEmpty();
  }

  @Test
  void theArchiveCanGoToStandardOutput() throws IOException {
    assertThat(run("snapshot", "-o", "-", "--keep-serials", "--keep-secrets")).isZero();
    Path file = Files.write(folder.resolve("x.zip"), out.toByteArray());
    assertThat(SnapshotArchive.open(file).name()).isNotEmpty();
    assertThat(err.size()).isZero();
  }

  @Test
  void aFolderThatIsNotThereIsAnErrorOfTheEnvironment() {
    assertThat(run("snapshot", "-o", folder + "/no/such/x.zip")).isEqualTo(3);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("HF-1006", "does not exist");
  }

  @Test
  void nothingIsLeftWhenTheFileCannotBeWrittenToItsEnd() throws IOException {
    // A limit on the size of files acts as a full disk does: the write fails half-way.
    CommandResult result =
        Command.of(
                "sh",
                "-c",
                "ulimit -f 1; exec \"$0\" -XX:-UsePerfData -XX:TieredStopAtLevel=1"
                    + " --enable-native-access=ALL-UNNAMED -cp \"$1\" dev.holdfast.cli.Main"
                    + " snapshot -o \"$2\"",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                System.getProperty("java.class.path"),
                folder.resolve("x.zip").toString())
            .within(Duration.ofSeconds(60))
            .run();
    assertThat(result.exitCode()).as(result.error()).isEqualTo(3);
    assertThat(result.error()).contains("HF-1006", "was not written");
    assertThat(files()).isEmpty();
  }
}
