package dev.holdfast.doctor.fleet;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Runs one command on many hosts, a bounded number at a time, each under a deadline.
 *
 * @param parallel how many hosts are asked at once
 * @param options further options for the transport's program
 */
public record FanOut(Transport transport, int parallel, Duration deadline, List<String> options) {
  private static final int MAX_OUTPUT = 8 << 20;

  /** So much longer than its deadline may a command take to be killed. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private record Answer(String host, CommandResult result) {}

  /**
   * Hands on every host's result as soon as it is there, on the caller's thread, and keeps none:
   * the snapshots of a whole cluster do not fit in memory.
   *
   * @param progress hears (done, total) after each
   */
  public void run(
      List<String> hosts,
      List<String> command,
      BiConsumer<String, CommandResult> each,
      BiConsumer<Integer, Integer> progress) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.clamp(hosts.size(), 1, parallel),
            Thread.ofPlatform().daemon().name("host-", 0).factory());
    try {
      CompletionService<Answer> answers = new ExecutorCompletionService<>(threads);
      for (String host : hosts) {
        Command call =
            Command.of(transport.arguments(options, host, command))
                .within(deadline)
                .limit(MAX_OUTPUT, 16 << 10);
        var _ = answers.submit(() -> new Answer(host, call.run()));
      }
      for (int done = 1; done <= hosts.size(); done++) {
        Answer answer = next(answers);
        each.accept(answer.host(), answer.result());
        progress.accept(done, hosts.size());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** While commands are left one of them runs, and it ends at its deadline: so does this wait. */
  private Answer next(CompletionService<Answer> answers) {
    try {
      Future<Answer> next = answers.poll(deadline.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new IllegalStateException("no host answered or ended within its deadline");
      }
      return next.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for hosts", e);
    }
  }
}
