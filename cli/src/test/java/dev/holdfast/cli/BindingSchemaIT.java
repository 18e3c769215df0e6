package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bind prints is what docs/schema/binding.json promises, says an independent validator. */
class BindingSchemaIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "two-sockets.xml, mpibind, 4",
    "two-sockets.xml, mpibind, 100",
    "two-sockets.xml, rail, 4",
    "eight-gpus.txt, rail, 8",
  })
  void bindings(String machine, String policy, String tasks) throws Exception {
    CommandResult result =
        Schemas.validate("binding.json", document(machine, policy, tasks), folder);
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  @Test
  void aDocumentWithAnUnknownPolicyIsRefused() throws Exception {
    String broken =
        document("two-sockets.xml", "mpibind", "1").replace("\"mpibind\"", "\"random\"");
    assertThat(Schemas.validate("binding.json", broken, folder).succeeded()).isFalse();
  }

  private static String document(String machine, String policy, String tasks) {
    TestConsole console = new TestConsole();
    String file = Golden.root().resolve("fixtures/topologies").resolve(machine).toString();
    console.run("bind", "--from", file, "--policy", policy, "--tasks", tasks, "--format", "json");
    return console.out();
  }
}
