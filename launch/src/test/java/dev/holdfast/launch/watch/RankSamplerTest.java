package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against real processes; bounds are generous, for a busy machine. */
class RankSamplerTest {
  private final List<Process> processes = new ArrayList<>();

  private long start(String script) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", script).start();
    processes.add(process);
    return process.pid();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  /** Looks every 100 ms as if a second had passed, for at most 20 s. */
  private static RankSampler.Sample until(RankSampler sampler, Predicate<RankSampler.Sample> holds)
      throws InterruptedException {
    RankSampler.Sample last = sampler.sample(0).getFirst();
    for (int i = 1; i < 200 && !holds.test(last); i++) {
      Thread.sleep(100);
      last = sampler.sample(i * 1_000_000_000L).getFirst();
    }
    assertThat(last).matches(holds);
    return last;
  }

  @Test
  void childrenCountAndWhatTheyUsedIsNotLost() throws Exception {
    long pid = start("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; sleep 60 & wait");
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, pid);
      double most = 0;
      for (int i = 0; i < 100 && most < 0.1; i++) {
        Thread.sleep(100);
        double now = sampler.sample(i * 1_000_000_000L).getFirst().cpuSeconds();
        assertThat(now).isGreaterThanOrEqualTo(most);
        most = now;
      }
      assertThat(most).isGreaterThanOrEqualTo(0.1);
      assertThat(until(sampler, sample -> sample.processes() > 1).cpuSeconds())
          .isGreaterThanOrEqualTo(most);
    }
  }

  @Test
  void bytesReadAndWrittenGrow() throws Exception {
    long pid = start("dd if=/dev/zero of=/dev/null bs=64k count=20000 2>/dev/null; sleep 60");
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(3, pid);
      RankSampler.Sample sample = until(sampler, one -> one.ioBytes() > 100_000_000);
      assertThat(sample.rank()).isEqualTo(3);
    }
  }

  @Test
  void aStoppedProcessIsSeenAsSuch() throws Exception {
    long pid = start("kill -STOP $$; sleep 60");
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, pid);
      assertThat(until(sampler, sample -> sample.state() == 'T').alive()).isTrue();
    }
  }

  @Test
  void aProcessThatEndsIsGoneAndStaysGone() throws Exception {
    long pid = start("exit 0");
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, pid);
      assertThat(until(sampler, sample -> !sample.alive()).waitsIn()).isEmpty();
      sampler.forget(0);
      assertThat(sampler.sample(1)).isEmpty();
    }
  }

  @Test
  void whereAnIdleRankSleepsIsTold() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    processes.add(process);
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, process.pid());
      until(sampler, one -> Place.of(one.waitsIn()) == Place.SLEEP);
    }
  }

  @Test
  void aShellAroundTheProgramIsLookedThrough() throws Exception {
    long pid = start("sleep 60; true");
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, pid);
      until(sampler, one -> Place.of(one.waitsIn()) == Place.SLEEP);
      long child = ProcessHandle.of(pid).orElseThrow().children().findFirst().orElseThrow().pid();
      assertThat(dev.holdfast.os.libc.Signals.send(child, 19)).isTrue();
      until(sampler, one -> one.state() == 'T');
    }
  }

  @Test
  void statIsReadWhateverTheProcessIsCalled() {
    String text =
        "12 (a) b (c) S 3 12 12 0 -1 4194304 100 0 0 0 250 50 20 10 20 0 5 0 777 1000 100";
    ProcStat stat = ProcStat.parse(text).orElseThrow();
    assertThat(stat.name()).isEqualTo("a) b (c");
    assertThat(stat.cpuSeconds()).isEqualTo(3.3);
    assertThat(stat.threads()).isEqualTo(5);
    assertThat(stat.started()).isEqualTo(777);
    for (int i = 0; i < text.length() - 12; i++) {
      assertThat(ProcStat.parse(text.substring(0, i))).isEmpty();
    }
    assertThat(IoCounters.bytes("rchar: 10\nwchar: 5\n")).isEqualTo(15);
    assertThat(IoCounters.bytes("rchar: x")).isEqualTo(-1);
  }

  @Test
  void evidenceOfARankIsCollectedWithoutSignals(@TempDir Path folder) throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    processes.add(process);
    try (RankSampler sampler = new RankSampler()) {
      sampler.watch(0, process.pid());
      until(sampler, one -> Place.of(one.waitsIn()) == Place.SLEEP);
      Path file = Files.writeString(folder.resolve("stacks"), "# nothing\n");
      ProcEvidence.Seen seen =
          ProcEvidence.collect(
                  List.of(
                      new ProcEvidence.Rank(
                          0, process.pid(), sampler.started(0), Optional.of(file))),
                  Duration.ofSeconds(3))
              .getFirst();
      assertThat(String.join("\n", seen.lines())).contains("state S", "1 threads", "threads: 1 ×");
      assertThat(seen.noStacks()).contains("did not say");
      assertThat(process.isAlive()).isTrue();
      ProcEvidence.Rank other =
          new ProcEvidence.Rank(0, process.pid(), sampler.started(0) + 1, Optional.of(file));
      assertThat(ProcEvidence.collect(List.of(other), Duration.ofSeconds(3)).getFirst().lines())
          .containsExactly("the process is gone; its number belongs to another one now");
    }
  }

  @Test
  void handlersAreReadFromTheMask() {
    String status = "Name:\tx\nSigCgt:\t0000000000000800\n";
    assertThat(ProcEvidence.catches(status, 12)).isTrue();
    assertThat(ProcEvidence.catches(status, 10)).isFalse();
    assertThat(ProcEvidence.catches("", 12)).isFalse();
  }
}
