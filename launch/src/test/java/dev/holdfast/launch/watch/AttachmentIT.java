package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Real Python ranks that make steps, then one stops, sleeps or is waited for. Nearly all of the
 * time is spent waiting for limits that are the product's own, so the tests here run beside each
 * other.
 */
class AttachmentIT {
  private static final int STOP = 19;

  /**
   * All make the same steps, as ranks of one job do, however busy the machine is: by the clock, up
   * to the one the file "halt" names; then rank 1 blocks and the others wait as told.
   */
  private static final String RANK =
      """
      import faulthandler, json, os, signal, sys, threading, time
      folder, how, begun = sys.argv[1], sys.argv[2], float(sys.argv[3])
      stacks = open(os.environ["HOLDFAST_STACK_FILE"], "a", buffering=1)
      faulthandler.register(signal.SIGUSR2, file=stacks, all_threads=True, chain=False)
      stacks.write("# process %d writes its stacks here on signal 12\\n" % os.getpid())
      beats = open(os.environ["HOLDFAST_BEAT_FILE"], "a", buffering=1)
      step, last = -1, 1 << 60
      while step < last:
          if os.path.exists(folder + "/halt"):
              last = int(open(folder + "/halt").read())
          due = min(last, int((time.time() - begun) / 0.2))
          if due > step:
              step = due
              beats.write(json.dumps({"t": time.time(), "step": step}) + "\\n")
          end = time.time() + 0.05
          while time.time() < end:
              time.sleep(0.01) if how == "poll" else None
      def stuck_in_the_pipe():
          os.read(os.pipe()[0], 1)
      if os.environ["RANK"] == "1":
          stuck_in_the_pipe()
      elif how == "poll":
          threading.Event().wait()
      else:
          while True: pass
      """;

  @TempDir Path folder = Path.of("");
  private final List<Process> processes = new ArrayList<>();
  private final long begun = System.currentTimeMillis();

  private List<Long> start(int ranks, String how) throws IOException {
    Path python = Tools.require("python3", "python3");
    for (int rank = 0; rank < ranks; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder(
              python.toString(), "-c", RANK, folder.toString(), how, Double.toString(begun / 1e3));
      builder.environment().put("RANK", Integer.toString(rank));
      builder.environment().put("HOLDFAST_BEAT_FILE", folder.resolve("beats" + rank).toString());
      builder.environment().put("HOLDFAST_STACK_FILE", folder.resolve("stacks" + rank).toString());
      processes.add(builder.start());
    }
    return processes.stream().map(Process::pid).toList();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static Optional<Diagnosis> watch(Attachment attachment, int seconds)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      List<Diagnosis> found = attachment.look(System.nanoTime());
      if (!found.isEmpty()) {
        return Optional.of(found.getFirst());
      }
      Thread.sleep(1000);
    }
    return Optional.empty();
  }

  private static List<AttachedRank> ranks(List<Long> pids) throws InterruptedException {
    // The environment can be read once the process has become Python.
    Thread.sleep(2000);
    return AttachedRank.ofPids(pids);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aRankThatIsStoppedIsNamedWithinEightSeconds(TestReporter reporter) throws Exception {
    List<Long> pids = start(3, "spin");
    try (Attachment attachment = new Attachment(ranks(pids), HangRule.AUTO)) {
      assertThat(watch(attachment, 5)).isEmpty();
      long sent = System.nanoTime();
      assertThat(Signals.send(pids.get(1), STOP)).isTrue();
      Diagnosis verdict = watch(attachment, 40).orElseThrow();
      double seconds = (System.nanoTime() - sent) / 1e9;
      reporter.publishEntry("stopped, named after", "%.1f s".formatted(seconds));
      assertThat(verdict.ranks()).containsExactly(1);
      // Eight on a machine with time to spare; what is asserted bears a busy one.
      assertThat(seconds).isLessThan(20);
    }
  }

  /** Has all ranks halt at the same step, two seconds from now. */
  private void halt() throws IOException {
    long step = (System.currentTimeMillis() - begun) / 200 + 10;
    Path file = Files.writeString(folder.resolve("halt.new"), Long.toString(step));
    Files.move(file, folder.resolve("halt"), StandardCopyOption.ATOMIC_MOVE);
  }

  private void hang(String how, TestReporter reporter) throws Exception {
    List<Long> pids = start(3, how);
    List<AttachedRank> ranks = ranks(pids);
    assertThat(ranks).extracting(AttachedRank::rank).containsExactly(0, 1, 2);
    try (Attachment attachment = new Attachment(ranks, HangRule.AUTO)) {
      assertThat(watch(attachment, 10)).isEmpty();
      halt();
      long halted = System.nanoTime();
      Diagnosis verdict = watch(attachment, 120).orElseThrow();
      double seconds = (System.nanoTime() - halted) / 1e9;
      reporter.publishEntry(how + ", named after", "%.1f s: %s".formatted(seconds, verdict));
      assertThat(verdict.ranks()).containsExactly(1);
      List<ProcEvidence.Seen> seen = attachment.evidence(Duration.ofSeconds(3), true);
      assertThat(seen.get(1).stacks()).contains("stuck_in_the_pipe");
      assertThat(processes).allMatch(Process::isAlive);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void ranksThatGoOnAreNotCalledHoweverLongTheyAreWatched() throws Exception {
    List<Long> pids = start(3, "poll");
    try (Attachment attachment = new Attachment(ranks(pids), HangRule.AUTO)) {
      // Half as long again as the shortest time after which a rank is called.
      assertThat(watch(attachment, 45)).isEmpty();
      assertThat(processes).allMatch(Process::isAlive);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aRankInAReadThatNeverEndsIsNamedWhileOthersBurnCpu(TestReporter reporter) throws Exception {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int processors = Runtime.getRuntime().availableProcessors();
    assumeTrue(load < 4 * processors, "too busy for ranks that burn a core each: load " + load);
    hang("spin", reporter);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aRankInAReadThatNeverEndsIsNamedWhileOthersSleep(TestReporter reporter) throws Exception {
    hang("poll", reporter);
  }
}
