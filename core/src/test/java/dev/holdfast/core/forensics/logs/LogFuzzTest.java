package dev.holdfast.core.forensics.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes a log holds: a verdict, soon, and no more than a verdict. Longer with {@code
 * -Dfuzz.seconds=N}.
 */
class LogFuzzTest {
  private static final Duration LIMIT = Duration.ofSeconds(Long.getLong("fuzz.seconds", 3));
  private static final int ENOUGH = 150;

  private static List<LogSource> seeds() {
    Logs logs = new Logs().steps(4, 2, 0, 30);
    for (int rank = 0; rank < 3; rank++) {
      logs.rank(
          rank,
          Logs.timeout(rank, 700, 41, "ALLREDUCE"),
          "[PG ID 1 PG GUID 1 Rank 0] last enqueued work: 5");
    }
    logs.rank(3, "Traceback (most recent call last):", "  x", "ValueError: y");
    logs.file(
        "slurm-1.out",
        " 0: a",
        " 1: b",
        " 2: CUDA out of memory",
        "srun: error: gpu01: tasks 0-2,3: Killed");
    logs.file(
        "launcher.log",
        "Root Cause (first observed failure):",
        "  rank      : 2 (l",
        "  exitcode  : -9 (pid");
    logs.file(
        "dmesg-gpu01.txt", "[  12.345678] NVRM: Xid (PCI:0000:1a:00): 48, pid=4002, name=p, DBE");
    logs.file(
        "ncclras.txt",
        "Communicators... (0.00s)",
        "    #  in group  per comm  per node  per comm  in group",
        "    0         1         2         4         8         8   RUNNING  MISMATCH",
        "#0-0 (27a079b828ff1a75) MISMATCH",
        "  Communicator ranks have different collective operation counts",
        "  7 ranks have launched up to operation 6650",
        "  Rank 5 has launched up to operation 6649 -- GPU 1");
    logs.file(
        "a.jsonl",
        "{\"header\":{\"id\":\"1\",\"rank\":1,\"n_ranks\":2},\"coll_perf\":{\"coll_sn\":3}}");
    return logs.sources();
  }

  private static byte[] bytes(LogSource source) {
    try (var in = source.door().open()) {
      return in.readAllBytes();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Test
  void mutatedLogsGiveAVerdict() {
    List<LogSource> seeds = seeds();
    SplittableRandom random = new SplittableRandom(Long.getLong("fuzz.seed", 5));
    long until = System.nanoTime() + LIMIT.toNanos();
    int tried = 0;
    while (tried < ENOUGH || System.nanoTime() < until) {
      List<LogSource> sources = new ArrayList<>();
      for (LogSource seed : seeds) {
        sources.add(Logs.source(seed.name(), mutated(bytes(seed), random)));
      }
      LogVerdict verdict = LogAnalysis.of(sources);
      assertThat(verdict.suspicions()).isNotEmpty();
      assertThat(verdict.suspicions()).allMatch(one -> one.ranks().size() < 200_000);
      assertThat(verdict.volume().files() + verdict.volume().unreadable().size())
          .isEqualTo(sources.size());
      tried++;
      if (tried > 1_000_000) {
        break;
      }
    }
  }

  private static byte[] mutated(byte[] seed, SplittableRandom random) {
    byte[] bytes = seed.clone();
    for (int change = random.nextInt(12); change > 0 && bytes.length > 2; change--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] = (byte) ("0123456789[]:-,.#/*\n\r".charAt(random.nextInt(21)));
        case 2 -> bytes = Arrays.copyOf(bytes, 1 + at);
        case 3 -> {
          int length = Math.min(random.nextInt(200), bytes.length - at);
          int to = random.nextInt(bytes.length - length + 1);
          System.arraycopy(bytes, at, bytes, to, length);
        }
        default ->
            Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(40)), (byte) '9');
      }
    }
    return bytes;
  }

  @Test
  void aLineWithoutEndTakesNoMemory() {
    byte[] endless = new byte[3 << 20];
    Arrays.fill(endless, (byte) 'x');
    LogVerdict verdict = LogAnalysis.of(List.of(Logs.source("rank0.log", endless)));
    assertThat(verdict.volume().bytes()).isEqualTo(endless.length);
    assertThat(verdict.templates()).allMatch(one -> one.text().length() < 300);
  }

  @Test
  void differentLinesWithoutEndAreCountedNotKept() {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    for (int line = 0; line < 50_000; line++) {
      text.append("error: ").append(Long.toString(random.nextLong() >>> 1, 36)).append('\n');
    }
    LogVerdict verdict =
        LogAnalysis.of(
            List.of(Logs.source("rank0.log", text.toString().getBytes(StandardCharsets.UTF_8))));
    assertThat(verdict.templates()).hasSizeLessThan(100);
    assertThat(verdict.volume().limits()).isNotEmpty();
    assertThat(verdict.volume().lines()).isEqualTo(50_000);
  }
}
