package dev.holdfast.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A rank as a child of this process, or the remote shell that leads to it. It ends with its input,
 * however this process ends.
 */
final class ChildRank implements RankRun {
  private static final int KEPT_LINES = 8;
  private static final int LONGEST_LINE = 400;

  private final Process process;
  private final Deque<String> lines = new ArrayDeque<>();
  private final CompletableFuture<Integer> ended;

  private ChildRank(Process process) {
    this.process = process;
    CompletableFuture<Void> read = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> listen(read));
    // Whoever asks why it ended wants its words; but something may hold its output open.
    ended =
        process
            .onExit()
            .thenCompose(
                it ->
                    read.completeOnTimeout(null, 1, TimeUnit.SECONDS)
                        .thenApply(_ -> it.exitValue()));
  }

  static ChildRank start(List<String> command, String settings) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    ChildRank rank = new ChildRank(process);
    try {
      process.getOutputStream().write((settings + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException gone) {
      // It ended before it read anything; its end says more than this.
    }
    return rank;
  }

  private void listen(CompletableFuture<Void> read) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.addLast(line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line);
          if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
          }
        }
      }
    } catch (IOException ended) {
      // There is no more to read.
    }
    read.complete(null);
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public List<String> said() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  @Override
  public CompletableFuture<Integer> ended() {
    return ended;
  }

  @Override
  public void kill() {
    process.destroyForcibly();
  }
}
