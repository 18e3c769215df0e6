package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.TopologyReader;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.TaskRequest;
import dev.holdfast.os.libc.CpuAffinity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks started for real on the CPUs this process has. */
class BoundRunTest {
  /** More NUMA nodes than the machine of any test has, fewer than a kernel counts. */
  private static final int NO_SUCH_NODE = 63;

  @TempDir Path folder;
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

  @Test
  void aTaskWhoseMemoryCannotBeBoundIsNotStarted() throws IOException {
    Path trace = folder.resolve("trace");
    assertThatThrownBy(
            () -> run(NO_SUCH_NODE, MemoryChoice.BIND, "sh", "-c", "echo here > " + trace))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("memory is not bound");
    assertThat(trace).doesNotExist();
  }

  @Test
  void aProgramThatBindsItselfAnewIsNoRefusal() throws Exception {
    IdSet all = IdSet.copyOf(CpuAffinity.permitted());
    assumeTrue(all.count() > 1, "one CPU leaves nothing to bind anew");
    String first = Integer.toString(all.stream().min().orElseThrow());
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "no taskset here");
    for (int i = 0; i < 20; i++) {
      assertThat(run(0, MemoryChoice.NONE, "/usr/bin/taskset", "-c", first, "sleep", "0.02"))
          .isZero();
    }
  }

  @Test
  void aCommandThatIsNotThereIsNotBlamedOnTheCgroup() {
    assertThatThrownBy(() -> run(0, MemoryChoice.NONE, "/no/such/program"))
        .isInstanceOfSatisfying(
            HoldfastException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.COMMAND_NOT_STARTED))
        .hasMessageContaining("task 0: /no/such/program: No such file or directory");
  }

  @Test
  void aWordThatWouldBeChangedIsRefused() {
    assertThatThrownBy(() -> run(0, MemoryChoice.NONE, "true", "M\uFFFDller"))
        .hasMessageContaining("word 2 of the command is no text in this locale")
        .hasMessageContaining("LC_ALL=C.UTF-8");
  }

  @Test
  void theExitCodeIsTheTasks() throws IOException {
    assertThat(run(0, MemoryChoice.NONE, "sh", "-c", "exit 7")).isEqualTo(7);
    assertThat(told.toString(StandardCharsets.UTF_8)).contains("task 0: pid ", ", as /proc says");
  }

  private int run(int node, MemoryChoice memory, String... command) throws IOException {
    String machine =
        "GPU0 CPU Affinity NUMA Affinity\nGPU0 X %s %d\n"
            .formatted(IdSet.copyOf(CpuAffinity.permitted()), node);
    BindingPlan plan = BindingPlan.memoryFirst(TopologyReader.read(machine), TaskRequest.of(1));
    PrintStream stream = new PrintStream(told, true, StandardCharsets.UTF_8);
    Console console = new Console(stream, stream, Style.PLAIN, 100);
    return new BoundRun(console, plan, memory, false).run(List.of(command), Optional.empty());
  }
}
