package dev.holdfast.bench.peer;

import dev.holdfast.os.libc.CpuAffinity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server that runs: where it can be reached, and how it is ended. */
public final class RunningServer implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("port (\\d{1,5})\\b");
  private static final int KEPT_LINES = 5;

  private final @Nullable Process process;
  private final InetSocketAddress address;

  private RunningServer(@Nullable Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  /** One that somebody else started. */
  static RunningServer elsewhere(InetSocketAddress address) {
    return new RunningServer(null, address);
  }

  /** Starts it on these CPUs and waits until it says its port, at most so long. */
  static RunningServer start(List<String> command, BitSet cpus, int seconds) throws IOException {
    Process process = Pinned.start(new ProcessBuilder(command).redirectErrorStream(true), cpus);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    CompletableFuture<Integer> port = new CompletableFuture<>();
    Deque<String> said = new ArrayDeque<>();
    Thread.ofVirtual().start(() -> listen(process, port, said));
    try {
      int number = port.get(seconds, TimeUnit.SECONDS);
      return new RunningServer(process, new InetSocketAddress("127.0.0.1", number));
    } catch (ExecutionException | TimeoutException failed) {
      process.destroyForcibly();
      synchronized (said) {
        throw new IOException(
            command.getLast() + " does not serve: " + String.join(" / ", said), failed);
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  /** Reads all it says, so that it never waits for a reader; keeps the last lines. */
  private static void listen(Process process, CompletableFuture<Integer> port, Deque<String> said) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Matcher match = PORT.matcher(line);
        if (!port.isDone() && match.find()) {
          port.complete(Integer.parseInt(match.group(1)));
        }
        synchronized (said) {
          said.addLast(line);
          if (said.size() > KEPT_LINES) {
            said.removeFirst();
          }
        }
      }
    } catch (IOException ended) {
      // told below
    }
    port.completeExceptionally(new IOException("it has ended"));
  }

  public InetSocketAddress address() {
    return address;
  }

  /** Its process; 0 when it is not ours to look at. */
  public long pid() {
    return process == null ? 0 : process.pid();
  }

  @Override
  public void close() {
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** A child inherits the CPUs of the thread that starts it. */
  public static final class Pinned {
    private Pinned() {}

    public static Process start(ProcessBuilder builder, BitSet cpus) throws IOException {
      CompletableFuture<Process> answer = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  CpuAffinity.bind(cpus);
                  answer.complete(builder.start());
                } catch (IOException | RuntimeException | Error problem) {
                  answer.completeExceptionally(problem);
                }
              });
      try {
        return answer.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException failed) {
        throw new IOException(builder.command().getFirst() + " was not started", failed);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", interrupted);
      }
    }
  }
}
