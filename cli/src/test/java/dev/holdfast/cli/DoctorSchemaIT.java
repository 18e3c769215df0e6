package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What doctor prints is what docs/schema/doctor.json promises, says an independent validator. */
class DoctorSchemaIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"clean", "gpu-lost", "gpu-ecc-storm", "disk-full"})
  void recordedNodes(String node) throws Exception {
    String fixture = Golden.root().resolve("fixtures/nodes").resolve(node).toString();
    TestConsole console = new TestConsole();
    console.run("doctor", "--format", "json", "--from", fixture);
    assertThat(validate(console.out()).succeeded()).as(validate(console.out()).error()).isTrue();
  }

  @Test
  void thisMachine() throws Exception {
    TestConsole console = new TestConsole();
    console.run("doctor", "--format", "json");
    assertThat(validate(console.out()).succeeded()).as(validate(console.out()).error()).isTrue();
  }

  @Test
  void aDocumentWithAnUnknownOutcomeIsRefused() throws Exception {
    TestConsole console = new TestConsole();
    console.run("doctor", "--format", "json");
    String broken = console.out().replaceFirst("\"outcome\": \"\\w+\"", "\"outcome\": \"fine\"");
    assertThat(validate(broken).succeeded()).isFalse();
  }

  private CommandResult validate(String document) throws Exception {
    return Schemas.validate("doctor.json", document, folder);
  }
}
