package dev.holdfast.os.process;

import dev.holdfast.os.libc.Pipe;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program of the machine to be run once: what does it answer, within this time and this much
 * text?
 *
 * <p>The caller's thread looks at both pipes in turn and reads only what is already there, so no
 * wait depends on the child or on a grandchild that inherited a pipe and keeps it open. Standard
 * input is empty. Messages are asked for in English, because they will be parsed.
 *
 * @param environment set on top of the inherited environment
 * @param outputLimit bytes of standard output kept; what follows is read and dropped
 */
public record Command(
    List<String> arguments,
    Duration deadline,
    int outputLimit,
    int errorLimit,
    Map<String, String> environment) {
  private static final Duration GRACE = Duration.ofMillis(300);
  private static final long LONGEST_PAUSE_NANOS = 10_000_000;

  public Command {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
    if (arguments.isEmpty() || arguments.getFirst().isEmpty()) {
      throw new IllegalArgumentException("no program named");
    }
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("no time to run: " + deadline);
    }
    if (outputLimit < 0 || errorLimit < 0) {
      throw new IllegalArgumentException("negative limit");
    }
  }

  /** Five seconds, 1 MiB of output, 64 KiB of messages. */
  public static Command of(String... arguments) {
    return of(List.of(arguments));
  }

  public static Command of(List<String> arguments) {
    return new Command(arguments, Duration.ofSeconds(5), 1 << 20, 1 << 16, Map.of("LC_ALL", "C"));
  }

  public Command within(Duration time) {
    return new Command(arguments, time, outputLimit, errorLimit, environment);
  }

  public Command limit(int outputBytes, int errorBytes) {
    return new Command(arguments, deadline, outputBytes, errorBytes, environment);
  }

  public Command with(String name, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(name, value);
    return new Command(arguments, deadline, outputLimit, errorLimit, more);
  }

  /** Runs the program; returns at the latest shortly after the deadline and never throws. */
  public CommandResult run() {
    long start = System.nanoTime();
    BoundedSink output = new BoundedSink(outputLimit);
    BoundedSink error = new BoundedSink(errorLimit);
    try (Pipe outputPipe = Pipe.open();
        Pipe errorPipe = Pipe.open()) {
      Process process = start(outputPipe, errorPipe);
      outputPipe.closeWriteEnd();
      errorPipe.closeWriteEnd();
      long end = start + deadline.toNanos();
      long pause = 100_000;
      while (true) {
        boolean exited = !process.isAlive();
        boolean progress = output.take(outputPipe.readEnd()) | error.take(errorPipe.readEnd());
        if (exited && (!progress || System.nanoTime() >= end)) {
          return exited(process.exitValue(), output, error, start);
        }
        long left = end - System.nanoTime();
        if (left <= 0) {
          return timedOut(process, output, error, start);
        }
        pause = progress ? 100_000 : Math.min(pause * 2, LONGEST_PAUSE_NANOS);
        if (!progress && waitFor(process, Math.min(pause, left))) {
          new ProcessTree(process.toHandle()).end(GRACE);
          return result(Ending.FAILED, -1, output, error, start, "interrupted");
        }
      }
    } catch (IOException problem) {
      String message = String.valueOf(problem.getMessage());
      boolean missing = message.contains("error: 2 ") || message.contains("error=2,");
      return result(
          missing ? Ending.NOT_FOUND : Ending.FAILED,
          -1,
          output,
          error,
          start,
          missing ? arguments.getFirst() + ": no such program" : message);
    }
  }

  private Process start(Pipe output, Pipe error) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(arguments)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(Redirect.appendTo(output.writeEnd()))
            .redirectError(Redirect.appendTo(error.writeEnd()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Waits for the process to end, at most so long; tells whether the wait was interrupted. */
  private static boolean waitFor(Process process, long nanos) {
    try {
      process.waitFor(nanos, TimeUnit.NANOSECONDS);
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private CommandResult exited(int code, BoundedSink output, BoundedSink error, long start) {
    String why = code == 0 ? "" : arguments.getFirst() + ": exit code " + code;
    return result(Ending.EXITED, code, output, error, start, why);
  }

  private CommandResult timedOut(
      Process process, BoundedSink output, BoundedSink error, long start) {
    boolean gone = new ProcessTree(process.toHandle()).end(GRACE);
    String why =
        arguments.getFirst()
            + ": no end within "
            + deadline.toMillis()
            + " ms, "
            + (gone ? "killed" : "killed but still there (stuck in the kernel?)");
    return result(Ending.TIMED_OUT, -1, output, error, start, why);
  }

  private static CommandResult result(
      Ending ending, int code, BoundedSink output, BoundedSink error, long start, String why) {
    return new CommandResult(
        ending,
        code,
        output.text(),
        error.text(),
        output.truncated() || error.truncated(),
        Duration.ofNanos(System.nanoTime() - start),
        why);
  }
}
