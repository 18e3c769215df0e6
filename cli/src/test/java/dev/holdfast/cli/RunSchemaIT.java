package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.CommandResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What `run --dry-run` and `--preflight` print is what docs/schema/dryrun.json and preflight.json
 * promise, says an independent validator.
 */
class RunSchemaIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--standalone --nproc-per-node 4",
        "--standalone --nproc-per-node 2 --bind numa --env A=b",
        "--nnodes 2:4 --spares 1 --node-rank 1 --master-addr localhost --master-port 4000"
            + " --max-restarts 3 --on-hang restart --exclude n7 --action stacks,kill",
        "--nnodes 2 --node-rank 0 --master-addr localhost --arbiter localhost:7400 --rdzv-id night"
      })
  void dryRuns(String options) throws Exception {
    CommandResult result = Schemas.validate("dryrun.json", dryRun(options), folder);
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  @Test
  void aDryRunWithoutAWorldSizeIsRefused() throws Exception {
    String document = dryRun("--standalone --nproc-per-node 4");
    assertThat(document).contains("\"worldSize\"");
    String broken = document.replace("\"worldSize\"", "\"worlds\"");
    assertThat(Schemas.validate("dryrun.json", broken, folder).succeeded()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--standalone --nproc-per-node 2",
        "--nnodes 2 --node-rank 1 --master-addr localhost --master-port 1"
      })
  void preflights(String options) throws Exception {
    String document = run("--preflight", options);
    CommandResult result = Schemas.validate("preflight.json", document, folder);
    assertThat(result.succeeded()).as(result.error()).isTrue();
    String broken = document.replaceFirst("\"outcome\": \"\\w+\"", "\"outcome\": \"fine\"");
    assertThat(broken).isNotEqualTo(document);
    assertThat(Schemas.validate("preflight.json", broken, folder).succeeded()).isFalse();
  }

  private String dryRun(String options) {
    return run("", options);
  }

  private String run(String first, String options) {
    List<String> words = new ArrayList<>(List.of("run", "--dry-run", "--format", "json"));
    if (!first.isEmpty()) {
      words.add(first);
    }
    words.addAll(List.of(options.split(" ")));
    words.addAll(List.of("--log-dir", folder.resolve("logs").toString(), "/bin/sh", "-c", "true"));
    TestConsole console = new TestConsole();
    console.run(words.toArray(String[]::new));
    assertThat(console.out()).as(console.err()).startsWith("{");
    return console.out();
  }
}
