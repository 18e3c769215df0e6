package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C, or a scheduler whose time is over: is what was measured until then printed? */
class BenchNetStoppedIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  /** A benchmark that runs. */
  private record Running(Process process, Path out, Path err) {
    static Running start(Path folder, String... words) throws IOException {
      Path out = Files.createTempFile(folder, "out", "");
      Path err = Files.createTempFile(folder, "err", "");
      List<String> all = new ArrayList<>(List.of("bench", "net"));
      all.addAll(List.of(words));
      // Whoever runs these tests in the background ignores INT, and so would a program of theirs.
      List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
      command.addAll(HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), all));
      return new Running(
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start(),
          out,
          err);
    }

    /** Two ranks that are others than those of the round before. */
    List<Long> ranks(List<Long> before) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (true) {
        List<Long> now = process.children().map(ProcessHandle::pid).toList();
        if (now.size() == 2 && now.stream().noneMatch(before::contains)) {
          return now;
        }
        assertThat(process.isAlive() && System.nanoTime() < end).as("there are ranks").isTrue();
        LockSupport.parkNanos(20_000_000);
      }
    }

    /** Its exit code; the ranks it has now have ended, too. */
    int endedBy(String signal) throws Exception {
      List<ProcessHandle> ranks = process.children().toList();
      new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("it ends by itself").isTrue();
      assertThat(ranks).as("no rank stays").noneMatch(ProcessHandle::isAlive);
      return process.exitValue();
    }

    String answer() throws IOException {
      return Files.readString(out, StandardCharsets.UTF_8);
    }

    String messages() throws IOException {
      return Files.readString(err, StandardCharsets.UTF_8);
    }
  }

  /** Wherever it is in a round: ranks start, meet, measure or end. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 200, 300, 400, 500})
  void whatWasMeasuredBeforeASignalIsPrintedAndKept(int millis) throws Exception {
    String[] few = "all_reduce -b 4K -e 4K -n 5 -w 1 --transport unix --rounds 1000".split(" ", -1);
    Running bench = begun(2, few);
    LockSupport.parkNanos(millis * 1_000_000L);
    assertThat(bench.endedBy("INT")).as(bench.messages()).isEqualTo(130);
    assertThat(bench.answer()).contains("of 1000 rounds", "        4096          1024     float");
    requireKept(bench);
  }

  @Test
  void combinationsOfCompleteRoundsArePrintedAndKept() throws Exception {
    String[] few = "sweep --transport unix --sizes 4K --iters 5 --rounds 1000".split(" ", -1);
    // Two in each round: one stream and two.
    Running bench = begun(4, few);
    assertThat(bench.endedBy("TERM")).as(bench.messages()).isEqualTo(143);
    assertThat(bench.answer()).contains("all_reduce, medians of ", "unix with 2 streams, 2 ranks");
    requireKept(bench);
  }

  /** One that keeps what it measures, when ranks were started so often. */
  private Running begun(int times, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--save", "--ledger", ledger()));
    Running bench = Running.start(folder, all.toArray(String[]::new));
    List<Long> ranks = List.of();
    for (int i = 0; i < times; i++) {
      ranks = bench.ranks(ranks);
    }
    return bench;
  }

  private String ledger() {
    return folder.resolve("ledger").toString();
  }

  private void requireKept(Running bench) throws IOException {
    assertThat(bench.messages()).contains("kept as", "interrupted").doesNotContain("not kept");
    TestConsole shown = new TestConsole();
    assertThat(shown.run("bench", "show", "--ledger", ledger())).isZero();
    assertThat(shown.out()).contains("interrupted");
  }

  @Test
  void beforeAnythingWasMeasuredThereIsNothingToPrint() throws Exception {
    Running bench = Running.start(folder, "latency-comp", "--total", "64M", "--transport", "unix");
    bench.ranks(List.of());
    assertThat(bench.endedBy("TERM")).as(bench.messages()).isEqualTo(143);
    assertThat(bench.answer()).isEmpty();
    assertThat(bench.messages()).contains("interrupted");
  }
}
