package dev.holdfast.os.nvml;

import dev.holdfast.os.process.OwnProgram;
import dev.holdfast.os.process.ProcessState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The child that runs {@link NvmlChild}, seen from its parent: send a line, wait a while for a
 * line, kill.
 *
 * <p>A thread of its own reads the answers, because a read from a pipe cannot be given a deadline;
 * it is a daemon, so that a child that cannot be killed does not keep this program from ending.
 */
final class NvmlProcess {
  /** Comes after the last line. */
  static final String END = "";

  /** Of the answer to one request; it may be asked for ever. */
  private static final long MOST_OUTPUT = 8 << 20;

  private static final int MOST_LINE = 2048;
  private static final long KILL_WAIT_MILLIS = 300;

  private final Process process;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(4096);

  private NvmlProcess(Process process) {
    this.process = process;
  }

  static NvmlProcess start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    NvmlProcess child = new NvmlProcess(builder.start());
    Thread.ofPlatform().daemon().name("nvml-answers").start(child::readAnswers);
    return child;
  }

  boolean alive() {
    return process.isAlive();
  }

  void send(String requests) throws IOException {
    process.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  /** The next line, {@link #END} when there will be none, or null when the time is over. */
  @Nullable String next(long nanos) throws InterruptedException {
    return lines.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Kills the child.
   *
   * @return empty when it is gone; otherwise its pid and state, since then it is stuck in the
   *     kernel
   */
  String kill() {
    long pid = process.pid();
    process.destroyForcibly();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KILL_WAIT_MILLIS);
    boolean interrupted = false;
    while (process.isAlive() && System.nanoTime() < end) {
      try {
        process.waitFor(20, TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return process.isAlive() ? "pid " + pid + " state " + ProcessState.of(pid) : "";
  }

  private void readAnswers() {
    try (InputStream stream = process.getInputStream()) {
      byte[] buffer = new byte[8192];
      StringBuilder line = new StringBuilder();
      long total = 0;
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        total += count;
        if (total > MOST_OUTPUT) {
          process.destroyForcibly();
          break;
        }
        for (int index = 0; index < count; index++) {
          if (buffer[index] != '\n') {
            line.append(line.length() < MOST_LINE ? (char) (buffer[index] & 0x7f) : "");
          } else {
            if (!line.isEmpty()) {
              total = line.length() == 1 && line.charAt(0) == '.' ? 0 : total;
              lines.put(line.toString());
            }
            line.setLength(0);
          }
        }
      }
    } catch (IOException _) {
      // The pipe broke: the child is gone, which the end below tells.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    while (!lines.offer(END)) {
      lines.poll();
    }
  }

  private static List<String> command() {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+SuppressFatalErrorMessage",
                "-Xmx48m"));
    String library = System.getProperty(NvmlChild.LIBRARY_PROPERTY);
    if (library != null) {
      options.add("-D" + NvmlChild.LIBRARY_PROPERTY + "=" + library);
    }
    return OwnProgram.command(options, NvmlChild.class.getName(), List.of());
  }
}
