package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.testing.Golden;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** `holdfast bind` on machines on paper: its four forms and its errors. */
class BindCommandTest {
  private final TestConsole console = new TestConsole();

  private int bind(String machine, String... words) {
    List<String> line = new java.util.ArrayList<>(List.of("bind", "--from", topology(machine)));
    line.addAll(List.of(words));
    return console.run(line.toArray(String[]::new));
  }

  private Map<?, ?> task(int number) {
    Object tasks = Json.object(console.out()).get("tasks");
    return tasks instanceof List<?> list && list.get(number) instanceof Map<?, ?> task
        ? task
        : Map.of();
  }

  private static Map<?, ?> environment(Map<?, ?> task) {
    return task.get("env") instanceof Map<?, ?> environment ? environment : Map.of();
  }

  private static String topology(String name) {
    return Golden.root().resolve("fixtures/topologies").resolve(name).toString();
  }

  @Test
  void aTableForPeople() {
    assertThat(bind("two-sockets.xml", "--tasks", "4")).isZero();
    assertThat(console.out())
        .isEqualTo(
            """
            task  CPUs  threads  memory  GPU
               0  0-1         2  node 0  0
               1  2-3         2  node 0  1
               2  4-5         2  node 1  2
               3  6-7         2  node 1  3
            """);
  }

  @Test
  void jsonForPrograms() {
    assertThat(bind("two-sockets.xml", "--tasks", "4", "--format", "json")).isZero();
    Map<String, Object> json = Json.object(console.out());
    assertThat(json)
        .containsEntry("schema", "holdfast.binding/1")
        .containsEntry("host", "two-sockets");
    Map<?, ?> task = task(2);
    assertThat(task.get("cpus")).isEqualTo("4-5");
    assertThat(task.get("threads")).isEqualTo(2L);
    assertThat(task.get("gpus")).isEqualTo(List.of("2"));
    assertThat(task.get("memory")).isEqualTo("1");
    assertThat(task.get("env"))
        .isEqualTo(
            Map.of(
                "OMP_NUM_THREADS", "2",
                "OMP_PLACES", "threads",
                "OMP_PROC_BIND", "spread",
                "CUDA_VISIBLE_DEVICES", "2",
                "CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
  }

  @Test
  void linesForAShell() {
    bind("two-sockets.xml", "--tasks", "4", "--format", "env", "--task", "1");
    assertThat(console.out())
        .isEqualTo(
            """
            # task 1
            export HOLDFAST_TASK=1
            export HOLDFAST_CPUS=2-3
            export HOLDFAST_MEMORY=0
            export OMP_NUM_THREADS=2
            export OMP_PLACES=threads
            export OMP_PROC_BIND=spread
            export CUDA_VISIBLE_DEVICES=1
            export CUDA_DEVICE_ORDER=PCI_BUS_ID
            """);
  }

  @Test
  void optionsForSlurm() {
    bind("two-sockets.xml", "--tasks", "4", "--format", "slurm");
    assertThat(console.out())
        .isEqualTo(
            "--ntasks-per-node=4 --cpu-bind=mask_cpu:0x3,0xc,0x30,0xc0"
                + " --mem-bind=prefer,map_mem:0,0,1,1 --gpu-bind=map_gpu:0,1,2,3\n");
  }

  @Test
  void severalGpusATaskBecomeAMaskForSlurm() {
    bind("two-sockets.xml", "--tasks", "2", "--format", "slurm");
    assertThat(console.out()).contains("--gpu-bind=mask_gpu:0x3,0xc");
  }

  @ParameterizedTest
  @CsvSource({
    "--no-greedy, '0-3'",
    "--greedy=0, '0-3'",
    "--greedy=off, '0-3'",
    "--greedy, '0-15'",
    "--greedy=1, '0-15'",
  })
  void switchesAreSaidAsMpibindSaysThemOrAsShellsDo(String option, String cpus) {
    assertThat(bind("two-sockets.xml", "--tasks", "1", option)).isZero();
    assertThat(console.out()).contains("   0  " + cpus + " ");
  }

  @Test
  void ranksGetTheAdapterOfTheirSwitchAndNoneForStorage() {
    assertThat(bind("eight-gpus.txt", "--policy", "rail")).isZero();
    Golden.verify(
        Golden.root().resolve("cli/src/test/resources/bind/eight-gpus-rail.txt"), console.out());
  }

  @Test
  void everyRankIsToldTheSameAdaptersAndAllGpus() {
    bind("eight-gpus.txt", "--policy", "rail", "--format", "json");
    for (int i = 0; i < 8; i++) {
      Map<?, ?> env = environment(task(i));
      assertThat(env.get("NCCL_IB_HCA"))
          .isEqualTo("=mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7");
      assertThat(env.get("CUDA_VISIBLE_DEVICES")).isEqualTo("0,1,2,3,4,5,6,7");
    }
    Map<?, ?> third = task(2);
    assertThat(third.get("nics")).isEqualTo(List.of("mlx5_2"));
    assertThat(environment(third).get("UCX_NET_DEVICES")).isEqualTo("mlx5_2:1");
  }

  @Test
  void fewerRanksThanGpusSeeOnlyTheirOwn() {
    bind("eight-gpus.txt", "--policy", "rail", "--tasks", "4", "--format", "env", "--task", "1");
    assertThat(console.out()).contains("CUDA_VISIBLE_DEVICES=2,3\n");
    assertThat(console.err()).contains("must use cuda:0, not cuda:LOCAL_RANK");
  }

  @ParameterizedTest
  @CsvSource({
    "--tasks 0, 2, HF-1001, 'tasks: 0 is not in 1-65536'",
    "--tasks 1 --smt 3, 2, HF-1402, 'a core of this machine has 2 hardware threads'",
    "--tasks 1 --restrict 99, 2, HF-1402, 'no CPU is left'",
    "--tasks 1 --restrict nodeset:9, 2, HF-1402, 'NUMA nodes 0-1, the restriction allows 9'",
    "--tasks 1 --restrict pumpkin:1, 2, HF-1001, 'neither cpuset: nor nodeset:'",
    "--tasks 2 --task 2, 2, HF-1001, 'task 2 is not one of 0-1'",
    "--format json, 2, HF-1001, 'how many tasks? Give --tasks N'",
    "--tasks many, 2, HF-1001, many",
    "--tasks 2 --nics mlx5_0, 2, HF-1001, need --policy rail",
    "--tasks 2 --reserve 1, 2, HF-1001, need --policy rail",
    "--policy rail --smt 1, 2, HF-1001, --smt is of --policy mpibind",
    "--policy rail --task 9, 2, HF-1001, 'task 9 is not one of 0-3: without --tasks'",
    "--tasks 1 --greedy=perhaps, 2, HF-1001, neither 1 nor 0",
    "--tasks 1 --restrict 900000-999999, 2, HF-1001, 'outside of 0-65535'",
  })
  void errorsNameWhatIsWrong(String words, int code, String error, String told) {
    assertThat(bind("two-sockets.xml", words.split(" "))).isEqualTo(code);
    assertThat(console.err()).contains(error, told);
    assertThat(console.out()).isEmpty();
  }

  @Test
  void whatFollowsTheCommandIsTheCommands() {
    assertThat(bind("two-sockets.xml", "--tasks", "1", "/no/such/program", "--tasks", "many"))
        .isEqualTo(3);
    assertThat(console.err()).doesNotContain("many");
  }

  @Test
  void anAdapterToExcludeThatIsNotThereIsNoted() {
    assertThat(bind("eight-gpus.txt", "--policy", "rail", "--exclude-nics", "mlx5_77")).isZero();
    assertThat(console.out()).contains("note: there is no adapter mlx5_77 to exclude");
  }

  @Test
  void aMachineThatIsNotThereIsAnError() {
    assertThat(bind("no-such-file.xml", "--tasks", "1")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1005", "no such file");
  }
}
