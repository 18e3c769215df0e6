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
      return new Running(
          new ProcessBuilder(HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), all))
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

    int endedBy(String signal) throws Exception {
      new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    String answer() throws IOException {
      return Files.readString(out, StandardCharsets.UTF_8);
    }

    String messages() throws IOException {
      return Files.readString(err, StandardCharsets.UTF_8);
    }
  }

  private static void requireGone(List<Long> processes) {
    assertThat(processes).as("no rank stays").noneMatch(it -> ProcessHandle.of(it).isPresent());
  }

  @Test
  void whatWasMeasuredBeforeASignalIsPrintedAndKept() throws Exception {
    String ledger = folder.resolve("ledger").toString();
    String few = "all_reduce -b 4K -e 4K -n 5 -w 1 --transport unix --rounds 1000 --save --ledger";
    List<String> words = new ArrayList<>(List.of(few.split(" ", -1)));
    words.add(ledger);
    Running bench = Running.start(folder, words.toArray(String[]::new));
    List<Long> first = bench.ranks(List.of());
    List<Long> second = bench.ranks(first);
    assertThat(bench.endedBy("INT")).as(bench.messages()).isEqualTo(130);
    requireGone(second);
    assertThat(bench.answer()).contains("of 1000 rounds", "        4096          1024     float");
    assertThat(bench.messages()).contains("kept as", "interrupted");
    TestConsole shown = new TestConsole();
    assertThat(shown.run("bench", "show", "--ledger", ledger)).isZero();
    assertThat(shown.out()).contains("note: interrupted");
  }

  @Test
  void beforeAnythingWasMeasuredThereIsNothingToPrint() throws Exception {
    Running bench = Running.start(folder, "latency-comp", "--total", "64M", "--transport", "unix");
    List<Long> ranks = bench.ranks(List.of());
    assertThat(bench.endedBy("TERM")).as(bench.messages()).isEqualTo(143);
    requireGone(ranks);
    assertThat(bench.answer()).isEmpty();
    assertThat(bench.messages()).contains("interrupted");
  }
}
