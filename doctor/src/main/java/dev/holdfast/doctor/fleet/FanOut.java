package dev.holdfast.doctor.fleet;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;

/**
 * Runs one command on many hosts, a bounded number at a time, each under a deadline.
 *
 * @param parallel how many hosts are asked at once
 * @param options further options for the transport's program
 */
public record FanOut(Transport transport, int parallel, Duration deadline, List<String> options) {
  private static final int MAX_OUTPUT = 8 << 20;

  /** Every host's result, in the order of the hosts; {@code progress} hears (done, total). */
  public Map<String, CommandResult> run(
      List<String> hosts, List<String> command, BiConsumer<Integer, Integer> progress) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(parallel, hosts.size()),
            Thread.ofPlatform().daemon().name("host-", 0).factory());
    try {
      Map<String, Future<CommandResult>> running = new LinkedHashMap<>();
      for (String host : hosts) {
        Command call =
            Command.of(transport.arguments(options, host, command))
                .within(deadline)
                .limit(MAX_OUTPUT, 16 << 10);
        running.put(host, threads.submit(call::run));
      }
      Map<String, CommandResult> results = new LinkedHashMap<>();
      for (Map.Entry<String, Future<CommandResult>> entry : running.entrySet()) {
        results.put(entry.getKey(), await(entry.getValue()));
        progress.accept(results.size(), hosts.size());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Every command has its own deadline, so this wait is bounded by it. */
  private static CommandResult await(Future<CommandResult> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for hosts", e);
    }
  }
}
