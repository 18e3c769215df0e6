package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.JobSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of {@code holdfast run}, up to the point where something would start. */
class RunCommandTest {
  @TempDir private Path folder;

  private final TestConsole console = new TestConsole();

  private JobSpec plan(String... options) {
    return JobSpec.of(dryRun(options).object("spec"));
  }

  private Fields dryRun(String... options) {
    List<String> words = new ArrayList<>(List.of("run", "--dry-run", "--format", "json"));
    words.addAll(List.of(options));
    assertThat(console.run(words.toArray(String[]::new))).as(console.err()).isZero();
    return Fields.of("dry run", Json.object(console.out()));
  }

  @Test
  void torchrunsSpellingsAreUnderstoodWithDashesAndUnderscores() {
    JobSpec spec =
        plan(
            "--nnodes=1",
            "--nproc_per_node=2",
            "--rdzv_id=night",
            "--max_restarts",
            "3",
            "--rdzv_backend=c10d",
            "--rdzv-conf=timeout=900",
            "--monitor_interval=5",
            "--start_method=spawn",
            "--event_log_handler=null",
            "--logs_specs=default",
            "--role=trainer",
            "-r",
            "3",
            "-t",
            "0:1",
            "--local_ranks_filter=0",
            "--signals-to-handle=SIGTERM",
            "--shutdown_timeout=10",
            "--log_dir=" + folder,
            "/bin/sh");
    assertThat(spec.here().processes()).isEqualTo(2);
    assertThat(spec.runId()).isEqualTo("night");
    assertThat(spec.ending().maxRestarts()).isEqualTo(3);
    assertThat(spec.ending().grace()).hasSeconds(10);
    assertThat(spec.program().role()).isEqualTo("trainer");
    assertThat(spec.output().folder()).isEqualTo(folder.toString());
    assertThat(spec.output().shown(0)).isEqualTo(1);
    assertThat(spec.output().shown(1)).isZero();
  }

  @Test
  void whatFollowsTheProgramIsTheProgramsOwn() {
    assertThat(plan("/bin/echo", "--help", "--nnodes", "x", "--", "-m").program().command())
        .containsExactly("/bin/echo", "--help", "--nnodes", "x", "--", "-m");
  }

  @Test
  void aDoubleDashBeforeTheProgramIsNotPartOfIt() {
    assertThat(plan("--", "/bin/echo", "--help").program().command())
        .containsExactly("/bin/echo", "--help");
  }

  @Test
  void aDryRunTellsTheEnvironmentOfEachRank() {
    List<Fields> ranks = dryRun("--nproc-per-node", "2", "/bin/sh").objects("ranks");
    assertThat(ranks).hasSize(2);
    assertThat(ranks.get(1).textMap("environment"))
        .containsEntry("RANK", "1")
        .containsEntry("WORLD_SIZE", "2")
        .containsEntry("TORCHELASTIC_USE_AGENT_STORE", "True");
  }

  @Test
  void aDryRunIsAlsoForPeople() {
    assertThat(
            console.run(
                "run",
                "--dry-run",
                "--nnodes",
                "2",
                "--rdzv-endpoint",
                "localhost:4000",
                "--node-rank",
                "1",
                "--nproc-per-node",
                "4",
                "--log-dir",
                "/logs",
                "--rdzv-id",
                "night",
                "--node-name",
                "n2",
                "/bin/sh",
                "-c",
                "true"))
        .as(console.err())
        .isZero();
    assertThat(console.out())
        .contains("job          local-night, run night (")
        .contains("program      /bin/sh -c true\n")
        .contains("nodes        2; 4 ranks each, 8 in all\n")
        .contains("launchers    meet at localhost port 4000, which is here\n")
        .contains("logs         /logs/night_n2\n")
        .contains("   7      3  n2    any   -       -       -\n")
        .contains("0  node 0  0-3\n1  n2      4-7\n")
        .contains("\nRANK=4\n");
    assertThat(Path.of("/logs/night_n2")).doesNotExist();
  }

  @Test
  void anUnknownOptionIsToldWithTheNearest() {
    assertThat(console.run("run", "--nproc-per-nod", "4", "/bin/sh")).isEqualTo(2);
    assertThat(console.err())
        .contains("HF-1001 Unknown option: '--nproc-per-nod'")
        .contains("--nproc-per-node");
  }

  @Test
  void aWrongLineOfTheConfigurationIsNamed() throws IOException {
    Path file = folder.resolve("run.yaml");
    Files.writeString(file, "nproc_per_node: 2\nmax-restart: 3\n");
    assertThat(console.run("run", "--config", file.toString(), "/bin/sh")).isEqualTo(2);
    assertThat(console.err())
        .contains(
            "HF-1003 " + file + ":2: max-restart: unknown key (did you mean 'max-restarts'?)");
  }

  @Test
  void theConfigurationIsReadAndTheCommandLineWins() throws IOException {
    Path file = folder.resolve("run.yaml");
    Files.writeString(file, "nproc_per_node: 2\nmax-restarts: 3\nenv:\n  A: b\n");
    JobSpec spec = plan("--config", file.toString(), "--max-restarts", "1", "/bin/sh");
    assertThat(spec.here().processes()).isEqualTo(2);
    assertThat(spec.ending().maxRestarts()).isEqualTo(1);
    assertThat(spec.program().environment()).containsEntry("A", "b");
  }

  @Test
  void aMissingConfigurationIsToldByItsName() {
    String file = folder + "/none.yaml";
    assertThat(console.run("run", "--config", file, "/bin/sh")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1005 --config: " + file + ": no such file");
  }

  @Test
  void aProgramThatIsNotThereIsToldBeforeAnythingStarts() throws IOException {
    Files.writeString(folder.resolve("train.py"), "pass");
    assertThat(console.run("run", "--dry-run", folder + "/trian.py")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1613 ").contains("(did you mean 'train.py'?)");
  }

  @Test
  void optionsWithoutEffectAreSaidWhenAsked() {
    assertThat(console.run("run", "-v", "--monitor-interval", "5", "--dry-run", "/bin/sh"))
        .isZero();
    assertThat(console.err()).contains("--monitor-interval has no effect");
  }

  @Test
  void aTakenPortIsFoundBeforeTheStart() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
      int port = taken.getLocalPort();
      int code =
          console.run(
              "run",
              "--preflight",
              "--dry-run",
              "--nnodes",
              "2",
              "--node-rank",
              "0",
              "--master-addr",
              "localhost",
              "--master-port",
              "" + port,
              "--log-dir",
              folder.toString(),
              "/bin/sh");
      assertThat(code).isEqualTo(3);
      assertThat(console.out())
          .contains("fail  meeting: port %d is taken\n".formatted(port))
          .contains("do: `ss -ltnp 'sport = :%d'` shows by whom".formatted(port));
      assertThat(console.err())
          .contains("HF-1614 this node is not fit for the job: ")
          .contains("meeting");
    }
  }
}
