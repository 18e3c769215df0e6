package dev.holdfast.bench.store;

import dev.holdfast.bench.load.LoadProcess;
import dev.holdfast.bench.peer.Installation;
import dev.holdfast.bench.peer.RunningServer;
import dev.holdfast.core.text.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The load generator as seen by whoever asks it to measure. One for all servers: it stays warm. */
final class LoadClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 600;

  private final Process process;
  private final OutputStream orders;
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(16);

  LoadClient(Installation installation, StorePlan plan) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n \"$(ulimit -Hn)\"; exec \"$@\"", "sh"));
    command.addAll(
        installation.serving(
            LoadProcess.class.getName(), List.of(Integer.toString(plan.loadThreads()))));
    process =
        RunningServer.Pinned.start(
            new ProcessBuilder(command).redirectErrorStream(true), plan.loadCpus());
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    orders = process.getOutputStream();
    Thread.ofVirtual().start(this::listen);
  }

  private void listen() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        answers.put(line);
      }
    } catch (IOException | InterruptedException ended) {
      // the queue stays empty, which is told
    }
  }

  /** What one measurement gave. */
  Map<String, @Nullable Object> measure(Map<String, @Nullable Object> order) throws IOException {
    orders.write((Json.line(order) + "\n").getBytes(StandardCharsets.UTF_8));
    orders.flush();
    try {
      for (int i = 0; i < PATIENCE_SECONDS; i++) {
        String line = answers.poll(1, TimeUnit.SECONDS);
        if (line != null) {
          return Json.object(line);
        }
        if (!process.isAlive()) {
          break;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IllegalArgumentException noJson) {
      throw new IOException("the load generator failed", noJson);
    }
    throw new IOException("the load generator does not answer");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
