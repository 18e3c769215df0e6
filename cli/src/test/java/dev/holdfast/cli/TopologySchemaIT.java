package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What topo prints is what docs/schema/topology.json promises, says an independent validator. */
class TopologySchemaIT {
  @TempDir Path folder;

  private static String topo(String... more) {
    TestConsole console = new TestConsole();
    String[] words = new String[3 + more.length];
    System.arraycopy(new String[] {"topo", "--format", "json"}, 0, words, 0, 3);
    System.arraycopy(more, 0, words, 3, more.length);
    assertThat(console.run(words)).as(console.err()).isZero();
    return console.out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fixtures/nodes/clean",
        "core/src/test/resources/dev/holdfast/core/topology/draw/two-sockets.xml",
        "core/src/test/resources/dev/holdfast/core/topology/draw/four-gpus.txt",
      })
  void recordedMachines(String file) throws Exception {
    CommandResult result = validate(topo("--from", Golden.root().resolve(file).toString()));
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  @Test
  void thisMachine() throws Exception {
    CommandResult result = validate(topo());
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  @Test
  void aDocumentWithAnUnknownKindIsRefused() throws Exception {
    String broken = topo().replaceFirst("\"kind\": \"pu\"", "\"kind\": \"cpu\"");
    assertThat(validate(broken).succeeded()).isFalse();
  }

  private CommandResult validate(String document) throws Exception {
    return Schemas.validate("topology.json", document, folder);
  }
}
