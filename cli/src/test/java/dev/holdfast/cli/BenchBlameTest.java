package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site's own command measures pairs; a toy of one stands in for a network with faults. */
class BenchBlameTest {
  @TempDir Path folder;

  private TestConsole console = new TestConsole();
  private String pair = "";
  private String leaves = "";

  @BeforeEach
  void toy() throws IOException {
    Path script = folder.resolve("pair");
    Files.writeString(
        script,
        """
        #!/bin/sh
        case "$1 $2" in
          *n06*) echo "connection refused" >&2; exit 1;;
          *n11*) echo 17.5;;
          *) echo 40.1;;
        esac
        """);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    pair = script.toString();
    Path file = folder.resolve("leaves");
    Files.writeString(file, "# two leaves\nleaf1: n[01-08]\nSwitchName=leaf2 Nodes=n[09-16]\n");
    leaves = file.toString();
  }

  private int run(String... words) {
    console = new TestConsole();
    return console.run(words);
  }

  @Test
  void theSlowAndTheFailedNodeAreNamed() {
    int code = run("bench", "blame", "--leaves", leaves, "--", pair);
    assertThat(code).as(console.err()).isEqualTo(1);
    assertThat(console.out())
        .contains(
            "16 nodes",
            "node n06 fails",
            "connection refused",
            "node n11 is slow: 44 % of what others reach")
        .doesNotContain("undecided");
  }

  @Test
  void withoutFaultsNobodyIsToBlame() {
    int code = run("bench", "blame", "--hosts", "n[01-05]", "--", pair, "{b}", "{a}");
    assertThat(code).as(console.err()).isZero();
    assertThat(console.out()).contains("Nobody is to blame");
  }

  @Test
  void theAnswerForPrograms() {
    run("bench", "blame", "--hosts", "n[01-12]", "--rounds", "2", "--format", "json", "--", pair);
    Fields answer = Fields.of("answer", Json.object(console.out()));
    assertThat(answer.objects("blamed"))
        .extracting(it -> it.text("name"))
        .containsExactly("n06", "n11");
    assertThat(answer.objects("blamed").getFirst().text("fault")).isEqualTo("failed");
  }

  @Test
  void whatIsMissingIsSaid() {
    assertThat(run("bench", "blame", "--", pair)).isEqualTo(2);
    assertThat(console.err()).contains("--hosts or --leaves");
    assertThat(run("bench", "blame", "--hosts", "n1", "--", pair)).isEqualTo(2);
    assertThat(run("bench", "blame", "--hosts", "n[1-3]", "--leaves", leaves, "--", pair))
        .isEqualTo(2);
    assertThat(console.err()).contains("under none of the leaves");
  }
}
