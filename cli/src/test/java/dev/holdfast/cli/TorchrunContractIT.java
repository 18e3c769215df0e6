package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.testing.Tools;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does a rank find here what it finds under the real torchrun? The same words after {@code
 * torchrun} and after {@code holdfast run}; a program that writes down its environment under the
 * one, a dry run of the other.
 */
class TorchrunContractIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final int SECONDS = 180;

  @TempDir private Path folder;

  @Test
  void ranksFindTheVariablesThatTorchrunSets() throws IOException, InterruptedException {
    Tools.require("python3", "python3");
    Tools.require(start("-c", "import torch.distributed.run").exit == 0, "needs python3-torch");
    Path script = folder.resolve("show.py");
    Files.writeString(
        script,
        """
        import json, os
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "rank%s.json" % os.environ["RANK"]), "w") as out:
            json.dump(dict(os.environ), out)
        """);
    List<String> words =
        List.of(
            "-r",
            "1",
            "-t",
            "2",
            "--nproc_per_node",
            "2",
            "--max_restarts",
            "3",
            "--rdzv_id",
            "night",
            "--role",
            "trainer",
            "--log_dir",
            folder + "/logs",
            script.toString(),
            "--help");
    List<String> torchrun = new ArrayList<>(List.of("-m", "torch.distributed.run"));
    torchrun.addAll(words);
    Ended ended = start(torchrun.toArray(String[]::new));
    assertThat(ended.exit).as(ended.output).isZero();

    Map<String, String> theirs = theirs(1);
    Map<String, String> ours = ours(words, 1);
    assertThat(theirs).containsKeys("RANK", "WORLD_SIZE", "MASTER_ADDR", "TORCHELASTIC_RUN_ID");
    assertThat(theirs.remove("TORCHELASTIC_ERROR_FILE"))
        .matches(folder + "/logs/night_[^/]+/attempt_0/1/error.json");
    assertThat(ours.get("TORCHELASTIC_ERROR_FILE"))
        .matches(folder + "/logs/night_[^/]+/attempt_0/1/error.json");
    // A port of the store's own; the name this variable has had since torch 2.2.
    theirs.remove("MASTER_PORT");
    assertThat(theirs.remove("NCCL_ASYNC_ERROR_HANDLING")).isIn("1", null);
    assertThat(ours).containsEntry("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1");
    assertThat(ours).containsAllEntriesOf(theirs);
  }

  /** What torchrun set for a rank: all that differs from the environment it was started with. */
  private Map<String, String> theirs(int rank) throws IOException {
    Map<String, String> all =
        new HashMap<>(
            Fields.of(
                    "rank",
                    Json.read(
                        "{\"e\":"
                            + Files.readString(folder.resolve("rank" + rank + ".json"))
                            + "}"))
                .textMap("e"));
    System.getenv().forEach(all::remove);
    List.of("PATH", "_", "LC_CTYPE", "PYTHONNOUSERSITE").forEach(all::remove);
    return all;
  }

  private static Map<String, String> ours(List<String> words, int rank) {
    List<String> line = new ArrayList<>(List.of("run", "--dry-run", "--format", "json"));
    line.addAll(words);
    TestConsole console = new TestConsole();
    assertThat(console.run(line.toArray(String[]::new))).as(console.err()).isZero();
    return Fields.of("dry run", Json.object(console.out()))
        .objects("ranks")
        .get(rank)
        .textMap("environment");
  }

  private record Ended(int exit, String output) {}

  private Ended start(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(PYTHON));
    line.addAll(List.of(words));
    File output = folder.resolve("output.txt").toFile();
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output).start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      return new Ended(-1, "no end within " + SECONDS + " s");
    }
    return new Ended(process.exitValue(), Files.readString(output.toPath()));
  }
}
