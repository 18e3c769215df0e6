package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine a person asks for, wherever it is told of. */
class TopoCommandTest {
  private static final Path SAMPLES =
      Golden.root().resolve("core/src/test/resources/dev/holdfast/core/topology/draw");
  private static final String CLEAN = Golden.root().resolve("fixtures/nodes/clean").toString();

  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  @Test
  void thisMachineIsShown() {
    assertThat(console.run("topo")).as(console.err()).isZero();
    assertThat(console.out()).contains("NUMA node", "cpus 0");
    assertThat(console.err()).isEmpty();
  }

  @Test
  void aRecordedNodeIsShownWithItsRails() {
    assertThat(console.run("topo", "--from", CLEAN)).isZero();
    assertThat(console.out()).containsPattern("GPU0 .*H100").containsPattern("mlx5_0 .*400 Gb/s");
  }

  @Test
  void aSnapshotOfThisMachineShowsTheSameMachine() {
    String file = folder.resolve("node.zip").toString();
    assertThat(console.run("snapshot", "-o", file)).as(console.err()).isZero();
    TestConsole live = new TestConsole();
    live.run("topo", "--format", "json");
    TestConsole recorded = new TestConsole();
    assertThat(recorded.run("topo", "--format", "json", "--from", file))
        .as(recorded.err())
        .isZero();
    assertThat(Json.object(recorded.out()).get("totals"))
        .isEqualTo(Json.object(live.out()).get("totals"));
  }

  @Test
  void standardInputIsReadLikeAFile() throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(Files.readAllBytes(SAMPLES.resolve("four-gpus.txt"))));
      assertThat(console.run("topo", "--from", "-")).as(console.err()).isZero();
    } finally {
      System.setIn(before);
    }
    assertThat(console.out()).contains("NV12", "mlx5_2");
  }

  @Test
  void aPictureIsWrittenToAFileOrToStdout() throws IOException {
    Path picture = folder.resolve("node.svg");
    assertThat(console.run("topo", "--from", CLEAN, "--svg", picture.toString())).isZero();
    assertThat(console.out()).isEmpty();
    console.run("topo", "--from", CLEAN, "--svg", "-");
    assertThat(console.out()).startsWith("<svg").isEqualTo(Files.readString(picture));
  }

  @Test
  void thePictureInTheDocumentsIsTheOneWeDraw() {
    console.run("topo", "--from", CLEAN, "--svg", "-");
    Golden.verify(Golden.root().resolve("docs/pictures/hgx.svg"), console.out());
  }

  @Test
  void aFolderThatIsNotThereIsAnErrorOfTheEnvironment() {
    assertThat(console.run("topo", "--from", CLEAN, "--svg", folder + "/no/x.svg")).isEqualTo(3);
    assertThat(console.err()).contains("HF-1006", "was not written");
  }

  @Test
  void aFileThatTellsOfNoMachineIsAClearError() throws IOException {
    Path file = Files.writeString(folder.resolve("x.xml"), "<html><body/></html>");
    assertThat(console.run("topo", "--from", file.toString())).isEqualTo(2);
    assertThat(console.err()).contains("HF-1401", file.toString(), "lstopo --of xml");
  }

  @Test
  void aMissingFileIsAClearError() {
    assertThat(console.run("topo", "--from", "/no/such/file")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1005 /no/such/file: no such file");
  }

  @Test
  void anEndlessFileIsNotReadToItsEnd() {
    assertThat(console.run("topo", "--from", "/dev/zero")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1401 /dev/zero: longer than 64 MiB");
  }

  @Test
  void aDamagedSnapshotIsAClearError() throws IOException {
    Path file =
        Files.write(folder.resolve("x.zip"), "PK\3\4 no more".getBytes(StandardCharsets.UTF_8));
    assertThat(console.run("topo", "--from", file.toString())).isEqualTo(2);
    assertThat(console.err()).containsPattern("HF-11\\d\\d .*x\\.zip");
  }

  @Test
  void condensedLeavesOutLevelsThatAddNothing() {
    String file = SAMPLES.resolve("two-sockets.xml").toString();
    console.run("topo", "--format", "json", "--condensed", "--from", file);
    TestConsole whole = new TestConsole();
    whole.run("topo", "--format", "json", "--from", file);
    assertThat(console.out().length()).isLessThanOrEqualTo(whole.out().length());
    assertThat(Json.object(console.out())).containsKey("machine");
  }
}
