package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** `holdfast bind … -- command` on this machine, in a process of its own. */
class BoundCommandTest {
  private static final String STATUS = "grep -E 'Cpus_allowed_list|SigBlk' /proc/self/status";

  private static CommandResult bind(String... words) {
    return Command.of(line(words)).within(Duration.ofSeconds(60)).run();
  }

  private static List<String> line(String... words) {
    List<String> line =
        HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), List.of("bind"));
    line.addAll(List.of(words));
    return line;
  }

  @Test
  void allTasksRunWhereTheTableSaysAndTheirEndIsAwaited() throws IOException {
    IdSet cpus = IdSet.copyOf(CpuAffinity.permitted());
    CommandResult result = bind("--tasks", "1", "--", "sh", "-c", STATUS + "; exit 5");
    assertThat(result.exitCode()).as(result.error()).isEqualTo(5);
    assertThat(result.output()).contains("SigBlk:\t0000000000000000");
    IdSet seen = allowed(result.output());
    assertThat(result.error()).containsPattern("(?m)^   0  " + seen + " ");
    assertThat(cpus.containsAll(seen)).isTrue();
    assertThat(result.error()).contains("on CPUs " + seen, "as /proc says");
  }

  private static IdSet allowed(String status) {
    String name = "Cpus_allowed_list:";
    return status
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> IdSet.parse(line.substring(name.length())))
        .findFirst()
        .orElse(IdSet.EMPTY);
  }

  @Test
  void oneTaskReplacesTheProcessAndKeepsItsNumber() {
    CommandResult result =
        bind(
            "--tasks",
            "1",
            "--task",
            "0",
            "-q",
            "--",
            "sh",
            "-c",
            "echo $$; exec cat /proc/self/stat");
    assertThat(result.exitCode()).as(result.error()).isZero();
    List<String> lines = result.output().lines().toList();
    assertThat(lines.get(1)).startsWith(lines.get(0) + " (cat)");
    assertThat(result.error()).isEmpty();
  }

  @Test
  void bytesThatAreNoTextInThisLocaleReachTheProgramAsTheyWere() {
    List<String> line =
        new ArrayList<>(
            List.of("sh", "-c", "LC_ALL=C exec \"$@\" \"$(printf 'M\\303\\274ller\\377')\"", "sh"));
    line.addAll(line("--tasks", "1", "--task", "0", "-q", "--", "sh", "-c"));
    line.addAll(List.of("printf %s \"$1\" | od -An -tx1", "sh"));
    CommandResult result = Command.of(line).within(Duration.ofSeconds(60)).run();
    assertThat(result.output()).as(result.error()).isEqualTo(" 4d c3 bc 6c 6c 65 72 ff\n");
  }

  @Test
  void theProgramInheritsNoFileOfOurs() {
    CommandResult result =
        bind("--tasks", "1", "--task", "0", "-q", "--", "sh", "-c", "readlink /proc/$$/fd/*");
    assertThat(result.output()).doesNotContain(".jar").doesNotContain("/modules");
  }

  @Test
  void oneOfManyTasksSaysOneLine() {
    CommandResult result = bind("--tasks", "1", "--task", "0", "--", "true");
    assertThat(result.error().lines()).singleElement().asString().contains("as /proc says");
  }

  @Test
  void variablesReachTheTask() {
    CommandResult result =
        bind("--tasks", "1", "-q", "--", "sh", "-c", "echo $HOLDFAST_TASK $OMP_NUM_THREADS");
    assertThat(result.output()).matches("0 [1-9][0-9]*\n");
  }

  @Test
  void theFirstBadEndIsTheExitCode() {
    CommandResult result =
        bind("--tasks", "3", "-q", "--", "sh", "-c", "exit $((HOLDFAST_TASK * 4))");
    assertThat(result.exitCode()).as(result.error()).isEqualTo(4);
  }

  @Test
  void aProgramThatIsNotThereIsAnErrorAndNothingRuns() {
    CommandResult all = bind("--tasks", "1", "-q", "--", "/no/such/program");
    assertThat(all.exitCode()).isEqualTo(3);
    assertThat(all.error()).contains("HF-1404", "/no/such/program");
    CommandResult one = bind("--tasks", "1", "--task", "0", "-q", "--", "/no/such/program");
    assertThat(one.exitCode()).isEqualTo(3);
    assertThat(one.error()).contains("HF-1404", "/no/such/program: ENOENT");
  }

  @Test
  void cpusOfAnotherMachineThatAreNotHereAreRefusedBeforeAnythingStarts() throws IOException {
    int last = IdSet.copyOf(CpuAffinity.permitted()).last();
    String far = Golden.root().resolve("fixtures/topologies/eight-gpus.txt").toString();
    if (last < 112) {
      CommandResult result =
          bind("--from", far, "--policy", "rail", "-q", "--", "sh", "-c", "echo started");
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.error()).contains("HF-1403", "is allowed here", "nothing was started");
      assertThat(result.output()).isEmpty();
    }
  }

  @Test
  void aNarrowAffinityDoesNotNarrowTheChoiceButTheCpusetDoes() throws IOException {
    // The kernel tells what is permitted; the mask this shell happens to have does not matter.
    int first = CpuAffinity.permitted().nextSetBit(0);
    List<String> line = new ArrayList<>(List.of("taskset", "-c", Integer.toString(first)));
    line.addAll(
        line(
            "--tasks",
            "1",
            "--threads",
            Integer.toString(CpuAffinity.permitted().cardinality()),
            "-q",
            "--",
            "sh",
            "-c",
            "grep Cpus_allowed_list /proc/self/status"));
    CommandResult result = Command.of(line).within(Duration.ofSeconds(60)).run();
    assertThat(result.output())
        .as(result.error())
        .contains(":\t" + IdSet.copyOf(CpuAffinity.permitted()) + "\n");
  }
}
