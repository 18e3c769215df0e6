package dev.holdfast.launch.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.OnHang;
import dev.holdfast.launch.job.StreamChoice;
import dev.holdfast.launch.platform.Discovery;
import dev.holdfast.launch.platform.Surroundings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobSpecsTest {
  private static final Map<String, String> SLURM =
      Map.of(
          "SLURM_JOB_ID", "4711",
          "SLURM_STEP_ID", "0",
          "SLURM_NODEID", "1",
          "SLURM_STEP_NUM_NODES", "4",
          "SLURM_STEP_NODELIST", "n[1-4]",
          "SLURM_STEP_TASKS_PER_NODE", "1(x4)",
          "SLURMD_NODENAME", "n2");

  /** Options as {@code name=value}. */
  private static JobSpec spec(Map<String, String> environment, String... options) {
    return spec(environment, List.of("/bin/sh"), options);
  }

  private static JobSpec spec(
      Map<String, String> environment, List<String> words, String... options) {
    Map<String, List<String>> flags = new HashMap<>();
    for (String option : options) {
      String[] parts = option.split("=", 2);
      flags.computeIfAbsent(parts[0], _ -> new java.util.ArrayList<>()).add(parts[1]);
    }
    Workplace here =
        new Workplace(
            environment,
            Path.of("/home/ada"),
            Path.of("/state/runs"),
            List.of("nvidia0", "nvidia1"),
            16,
            host -> host.equals("n2") || host.equals("localhost"),
            Instant.parse("2026-11-15T09:05:07Z"),
            99,
            (policy, ranks) -> new Binding(policy, List.of(), List.of("bound " + ranks)));
    return JobSpecs.of(
        Choices.of(NAMES, flags, environment, Optional.empty()),
        Discovery.of(new Surroundings(environment, _ -> Optional.empty(), "n2.example")),
        here,
        words);
  }

  private static final List<String> NAMES =
      List.of(
          "nnodes",
          "arbiter",
          "token-file",
          "nproc-per-node",
          "rdzv-endpoint",
          "master-addr",
          "master-port",
          "node-rank",
          "spares",
          "standalone",
          "exclude",
          "rdzv-id",
          "tee",
          "redirects",
          "local-ranks-filter",
          "log-dir",
          "bind",
          "numa-binding",
          "hang",
          "on-hang",
          "grace",
          "shutdown-timeout",
          "max-restarts",
          "action",
          "env",
          "checkpoint-dir",
          "beat-pattern",
          "port-range",
          "module",
          "no-python",
          "run-path",
          "signals-to-handle",
          "monitor-interval",
          "exit-codes",
          "role",
          "virtual-local-rank",
          "inject",
          "watchdog-config",
          "local-addr",
          "node-name",
          "warm");

  @Test
  void withoutAnythingSaidOneRankRunsHere() {
    JobSpec spec = spec(Map.of());
    assertThat(spec.job()).isEqualTo("local-20261115-090507-99");
    assertThat(spec.runId()).isEqualTo(spec.job());
    assertThat(spec.team().alone()).isTrue();
    assertThat(spec.team().port()).isZero();
    assertThat(spec.team().hosted()).isTrue();
    assertThat(spec.here().processes()).isEqualTo(1);
    assertThat(spec.here().node()).isEqualTo("n2");
    assertThat(spec.output().folder()).isEqualTo("/state/runs");
    assertThat(spec.output().prefix()).isEmpty();
    assertThat(spec.output().keep()).isEqualTo(StreamChoice.BOTH);
    assertThat(spec.watching().hang()).isEqualTo("auto");
    assertThat(spec.watching().onHang()).isEqualTo(OnHang.DUMP);
    assertThat(spec.ending().maxRestarts()).isZero();
    assertThat(spec.ending().grace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(spec.here().binding().policy()).isEqualTo("none");
  }

  @Test
  void thePlatformTellsTheNodes() {
    JobSpec spec = spec(SLURM, "spares=1", "nproc-per-node=gpu");
    assertThat(spec.job()).isEqualTo("slurm-4711");
    assertThat(spec.team().minNodes()).isEqualTo(3);
    assertThat(spec.team().maxNodes()).isEqualTo(3);
    assertThat(spec.team().spares()).isEqualTo(1);
    assertThat(spec.team().names()).containsExactly("n1", "n2", "n3", "n4");
    assertThat(spec.team().host()).isEqualTo("n1");
    assertThat(spec.team().port()).isEqualTo(29400);
    assertThat(spec.team().hosted()).isFalse();
    assertThat(spec.here().order()).isEqualTo(1);
    assertThat(spec.here().processes()).isEqualTo(2);
  }

  @Test
  void optionsWinOverThePlatform() {
    JobSpec spec =
        spec(SLURM, "nnodes=1:2", "node-rank=0", "rdzv-endpoint=n2:4000", "rdzv-id=night");
    assertThat(spec.team().minNodes()).isEqualTo(1);
    assertThat(spec.team().maxNodes()).isEqualTo(2);
    assertThat(spec.team().port()).isEqualTo(4000);
    assertThat(spec.team().hosted()).isTrue();
    assertThat(spec.here().order()).isZero();
    assertThat(spec.runId()).isEqualTo("night");
    assertThat(spec.job()).isEqualTo("slurm-4711");
  }

  @Test
  void withoutAPlatformNodesThatMeetShareAName() {
    JobSpec spec = spec(Map.of(), "nnodes=2", "rdzv-endpoint=[fd00::1]:4000");
    assertThat(spec.job()).isEqualTo("local-fd00__1-4000");
    assertThat(spec.team().hosted()).isFalse();
    assertThat(spec(Map.of(), "nnodes=2", "rdzv-endpoint=n2", "rdzv-id=night").job())
        .isEqualTo("local-night");
    assertThat(
            spec(Map.of(), "nnodes=2", "rdzv-endpoint=n2", "arbiter=n9:7000", "token-file=secret")
                .team()
                .arbiter())
        .contains(new ArbiterPlace("n9", 7000, "/home/ada/secret"));
    assertThat(spec(Map.of(), "nnodes=2", "master-addr=n9", "node-rank=0").team().hosted())
        .isTrue();
    assertThat(spec(Map.of(), "nnodes=2", "master-addr=n9", "node-rank=0").team().port())
        .isEqualTo(29400);
  }

  @Test
  void contradictionsAndTasksPerRankAreRefusedUnlessAnOptionDecides() {
    Map<String, String> wrong = new HashMap<>(SLURM);
    wrong.put("NODE_RANK", "0");
    assertThatThrownBy(() -> spec(wrong))
        .hasMessage("NODE_RANK=0 and SLURM_NODEID=1 disagree about the rank of this node");
    assertThat(spec(wrong, "node-rank=3").here().order()).isEqualTo(3);
    Map<String, String> perRank = new HashMap<>(SLURM);
    perRank.put("SLURM_STEP_TASKS_PER_NODE", "8(x4)");
    assertThatThrownBy(() -> spec(perRank))
        .hasMessage(
            "srun starts 8 tasks on this node (SLURM_STEP_TASKS_PER_NODE=8(x4)), and each launcher"
                + " would start ranks of its own");
    assertThat(spec(perRank, "standalone=true").job()).isEqualTo("local-20261115-090507-99");
    Map<String, String> batch = new HashMap<>(SLURM);
    batch.remove("SLURM_STEP_ID");
    batch.put("SLURM_NNODES", "4");
    assertThatThrownBy(() -> spec(batch))
        .hasMessage(
            "SLURM_NNODES=4, but this launcher was not started by srun and runs on one node only");
    assertThat(spec(batch, "nnodes=1").team().alone()).isTrue();
  }

  @Test
  void whatIsShownFollowsTorchrunAndEverythingIsKept() {
    JobSpec spec =
        spec(Map.of(), "nproc-per-node=2", "redirects=3", "tee=0:1", "local-ranks-filter=0,1");
    assertThat(spec.output().shown(0)).isEqualTo(1);
    assertThat(spec.output().shown(1)).isZero();
    assertThat(spec.output().keep().of(1)).isEqualTo(3);
    assertThat(spec.output().prefix()).isEqualTo("[${role_name}${local_rank}]:");
    assertThat(spec(Map.of(), "nproc-per-node=2").output().show()).isEqualTo(StreamChoice.BOTH);
    assertThat(spec(Map.of(), "redirects=0", "tee=0").output().keep()).isEqualTo(StreamChoice.NONE);
    assertThat(
            spec(Map.of("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", "<${rank}> ")).output().prefix())
        .isEqualTo("<${rank}> ");
  }

  @Test
  void everythingElseIsCarried() {
    JobSpec spec =
        spec(
            Map.of(),
            "hang=auto:120",
            "on-hang=restart",
            "shutdown-timeout=45",
            "max-restarts=3",
            "action=hang=mail",
            "action=node-lost=page",
            "env=A=b=c",
            "checkpoint-dir=ckpt",
            "beat-pattern=step (\\d+)",
            "port-range=30000-30009",
            "exclude=n[7-8]",
            "bind=rail",
            "signals-to-handle=SIGTERM",
            "exit-codes=distinct",
            "log-dir=logs",
            "inject=kill:rank=1");
    assertThat(spec.watching().hang()).isEqualTo("auto:120");
    assertThat(spec.watching().onHang()).isEqualTo(OnHang.RESTART);
    assertThat(spec.ending().grace()).isEqualTo(Duration.ofSeconds(45));
    assertThat(spec.ending().maxRestarts()).isEqualTo(3);
    assertThat(spec.ending().actions()).containsExactly("hang=mail", "node-lost=page");
    assertThat(spec.ending().distinctCodes()).isTrue();
    assertThat(spec.program().environment())
        .containsEntry("A", "b=c")
        .containsEntry("TORCHELASTIC_SIGNALS_TO_HANDLE", "SIGTERM");
    assertThat(spec.watching().checkpointDir()).isEqualTo("/home/ada/ckpt");
    assertThat(spec.watching().inject()).isEqualTo("kill:rank=1");
    assertThat(spec.output().folder()).isEqualTo("/home/ada/logs");
    assertThat(spec.ports().first()).isEqualTo(30000);
    assertThat(spec.team().excluded()).containsExactly("n7", "n8");
    assertThat(spec.here().binding().notes()).containsExactly("bound 1");
  }

  @Test
  void badValuesAreToldExactly() {
    refuse(
        "--arbiter: 'n9' is no HOST:PORT: give the port the store is managed at (its --manage)",
        "nnodes=2",
        "rdzv-endpoint=n2",
        "arbiter=n9");
    refuse("--nnodes: '0' is no number of nodes: write 4, or MIN:MAX such as 3:4", "nnodes=0");
    refuse("--nnodes: '4:2' is no number of nodes: write 4, or MIN:MAX such as 3:4", "nnodes=4:2");
    refuse(
        "several nodes need a place to meet: give --rdzv-endpoint HOST[:PORT], the same on each node",
        "nnodes=2");
    refuse("--rdzv-endpoint: 'n1:99999' is no HOST[:PORT]", "nnodes=2", "rdzv-endpoint=n1:99999");
    refuse(
        "--hang: 'often' is none of auto, auto:SECONDS, off or a duration such as 10m",
        "hang=often");
    refuse("--on-hang: 'panic' is none of notify, dump, restart", "on-hang=panic");
    refuse("--env: 'A' is no NAME=VALUE", "env=A");
    refuse("--port-range: '5-4' is no range of ports: write 29500-29999", "port-range=5-4");
    refuse("--spares: 1 spares leave none of 1 nodes to run on", "spares=1");
    refuse(
        "--beat-pattern: 'step (' is no regular expression: Unclosed group", "beat-pattern=step (");
    refuse("--bind: 'mpibind' is none of numa, rail, none", "bind=mpibind");
    refuse(
        "--warm: only Python can wait with its modules imported, and /bin/sh is no Python program we"
            + " know of; give a .py file or -m MODULE",
        "warm=true",
        "max-restarts=1");
    assertThatThrownBy(() -> spec(Map.of(), List.of()))
        .hasMessage("no program: say what each rank is to run, holdfast run train.py");
  }

  @Test
  void standbysAreKeptForPythonThatMayBeRestarted() {
    List<String> module = List.of("pkg.train");
    Map<String, String> python = Map.of("PYTHON_EXEC", "/bin/sh");
    assertThat(spec(python, module, "module=true", "max-restarts=1").ending().warm()).isFalse();
    assertThat(spec(python, module, "module=true", "max-restarts=1", "warm=true").ending().warm())
        .isTrue();
    assertThatThrownBy(() -> spec(python, module, "module=true", "warm=true"))
        .hasMessage("--warm: there is no restart to be ready for; say --max-restarts too");
  }

  @Test
  void optionsOfTorchrunWithoutEffectAreSaid() {
    Choices choices =
        Choices.of(NAMES, Map.of(), Map.of("PET_MONITOR_INTERVAL", "5"), Optional.empty());
    assertThat(JobSpecs.withoutEffect(choices))
        .containsExactly(
            "PET_MONITOR_INTERVAL has no effect: the end of a rank is noticed at once");
  }

  private static void refuse(String message, String... options) {
    assertThatThrownBy(() -> spec(Map.of(), options)).hasMessage(message);
  }
}
