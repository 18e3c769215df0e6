package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `holdfast debug` in a process of its own: with a real gdb, and a stand-in for CUDA's tool. */
class DebugCommandTest {
  @TempDir Path folder = Path.of("");

  private Command debug(String... words) {
    List<String> line =
        HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), List.of("debug"));
    line.addAll(List.of(words));
    return Command.of(line)
        .within(Duration.ofSeconds(60))
        .with("PATH", folder + ":/usr/bin:/bin")
        .with("RANK", "3")
        .with("HOLDFAST_JOB", "night")
        .with("HOLDFAST_STACK_FILE", folder.resolve("stacks.txt").toString());
  }

  @Test
  void aCrashIsFoundAtItsLine() throws IOException {
    Path gcc = Tools.require("gcc", "gcc");
    Tools.require("gdb", "gdb");
    Path source =
        Files.writeString(
            folder.resolve("crash.c"),
            """
            #include <stdio.h>
            static void store(int *where) {
              *where = 1;
            }
            int main(void) {
              puts("about to");
              fflush(stdout);
              store(0);
              return 0;
            }
            """);
    Path program = folder.resolve("crash");
    assertThat(
            Command.of(gcc.toString(), "-g", "-O0", "-o", program.toString(), source.toString())
                .within(Duration.ofSeconds(60))
                .run()
                .error())
        .isEmpty();
    CommandResult text = debug("gdb", "--", program.toString()).run();
    assertThat(text.exitCode()).as(text.error() + text.output()).isEqualTo(1);
    assertThat(text.output())
        .contains("about to")
        .contains("gdb  rank 3: 1 error")
        .contains("SIGSEGV: Segmentation fault in store at crash.c:3")
        .contains("called by main@crash.c:8")
        .contains("report " + folder + "/gdb-rank3-");
    CommandResult json =
        debug("gdb", "--format=json", "--report", folder.resolve("r").toString(), "--", "./true")
            .run();
    assertThat(json.exitCode()).as(json.output()).isEqualTo(2);
    assertThat(json.error()).contains("HF-1613");
  }

  @Test
  void theReportOfTheSanitizerIsSummedUpAndItsOptionsAreHandedOn() throws IOException {
    Path tool = folder.resolve("compute-sanitizer");
    // As the real one: it runs the program, and its report goes to the file it was told.
    Files.writeString(
        tool,
        """
        #!/bin/sh
        test "$1 $2 $3" = "--tool memcheck --log-file" || exit 9
        report=$4
        shift 4
        echo "options: $1 $2"
        shift 2
        {
          echo "========= COMPUTE-SANITIZER"
          for thread in 0 1 2; do
            echo "========= Invalid __global__ write of size 4 bytes"
            echo "=========     at fill(int *, int)+0x90 in out_of_bounds.cu:7"
            echo "=========     by thread ($thread,0,0) in block (2,0,0)"
            echo "========="
          done
          echo "========= ERROR SUMMARY: 3 errors"
        } > "$report"
        exec "$@"
        """);
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    CommandResult result =
        debug("memcheck", "--format", "json", "--leak-check", "full", "--", "echo", "--rank", "7")
            .run();
    assertThat(result.exitCode()).as(result.error()).isEqualTo(1);
    assertThat(result.error()).contains("options: --leak-check full").contains("--rank 7");
    Fields answer = Fields.of("answer", Json.object(result.output()));
    assertThat(answer.number("errors")).isEqualTo(3);
    assertThat(answer.number("shown")).isEqualTo(3);
    assertThat(answer.objects("findings")).hasSize(1);
    Fields finding = answer.objects("findings").getFirst();
    assertThat(finding.text("subject")).isEqualTo("job/night/rank/3");
    assertThat(finding.text("summary"))
        .isEqualTo(
            "Invalid __global__ write of size 4 bytes in fill(int *, int) at out_of_bounds.cu:7, 3"
                + " times");
    CommandResult failing = debug("memcheck", "a", "b", "--", "sh", "-c", "exit 5").run();
    assertThat(failing.exitCode()).isEqualTo(5);
    Files.writeString(tool, Files.readString(tool).replace("SUMMARY: 3", "SUMMARY: 513"));
    assertThat(debug("memcheck", "a", "b", "--", "true").run().output())
        .contains("memcheck  rank 3: 513 errors, of which it wrote down 3 (--print-limit N: more)");
  }

  @Test
  void otherRanksBecomeTheProgram() {
    CommandResult result =
        debug("memcheck", "--rank=1", "--", "sh", "-c", "echo $RANK; exit 4").run();
    assertThat(result.exitCode()).as(result.error()).isEqualTo(4);
    assertThat(result.output()).isEqualTo("3\n");
    assertThat(result.error()).isEmpty();
  }

  @Test
  void whatIsMissingIsToldBeforeAnythingIsStarted() {
    assumeFalse(
        Files.exists(Path.of("/usr/local/cuda/bin/compute-sanitizer")), "CUDA's tools are here");
    CommandResult none = debug("racecheck", "--", "echo", "started").run();
    assertThat(none.exitCode()).isEqualTo(3);
    assertThat(none.output()).isEmpty();
    assertThat(none.error())
        .contains("HF-1804")
        .contains("racecheck needs compute-sanitizer or cuda-memcheck")
        .contains("CUDA toolkit");
  }

  @Test
  void withoutAProgramOrWithAnUnknownToolNothingIsStarted() {
    TestConsole console = new TestConsole();
    assertThat(console.run("debug", "memcheck", "./program")).isEqualTo(2);
    assertThat(console.err()).contains("which program?");
    TestConsole unknown = new TestConsole();
    assertThat(unknown.run("debug", "valgrind", "--", "true")).isEqualTo(2);
  }
}
