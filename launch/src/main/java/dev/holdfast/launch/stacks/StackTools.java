package dev.holdfast.launch.stacks;

import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.process.Ending;
import dev.holdfast.os.process.ProcessState;
import dev.holdfast.os.process.ProgramPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Programs that read the stacks of a process from outside: py-spy, gdb or cuda-gdb, and the JDK's
 * own jcmd. They stop a process while they read; so they are kept from those that are stopped,
 * traced or stuck already, and when one had to be killed the process is told to go on.
 *
 * @param pySpy where it is
 * @param debugger gdb, or cuda-gdb where only that is
 */
public record StackTools(Optional<String> pySpy, Optional<String> debugger) {
  private static final int MOST_BYTES = 1 << 20;

  /** What a tool gave: stacks, or why there are none. */
  record Answer(String tool, String text, String why) {
    static Answer none(String tool, String why) {
      return new Answer(tool, "", why);
    }
  }

  /** Those on this PATH. */
  public static StackTools find(String path) {
    return new StackTools(
        ProgramPath.find("py-spy", path),
        ProgramPath.find("gdb", path).or(() -> ProgramPath.find("cuda-gdb", path)));
  }

  /** Stacks of Python's threads, by py-spy. */
  Answer python(long pid, Duration left) {
    if (pySpy.isEmpty()) {
      return Answer.none("py-spy", "py-spy is not installed");
    }
    String obstacle = obstacle(pid);
    return obstacle.isEmpty()
        ? run("py-spy", pid, left, List.of(pySpy.get(), "dump", "--pid", Long.toString(pid)))
        : Answer.none("py-spy", obstacle);
  }

  /** Stacks of all threads down to the kernel, by the debugger. */
  Answer nativeFrames(long pid, Duration left) {
    if (debugger.isEmpty()) {
      return Answer.none("gdb", "neither gdb nor cuda-gdb is installed");
    }
    String name = String.valueOf(Path.of(debugger.get()).getFileName());
    String obstacle = obstacle(pid);
    if (!obstacle.isEmpty()) {
      return Answer.none(name, obstacle);
    }
    return run(
        name,
        pid,
        left,
        List.of(
            debugger.get(),
            "-nx",
            "-batch",
            "-iex",
            "set auto-load off",
            "-iex",
            "set width 0",
            "-iex",
            "set print frame-arguments none",
            "-iex",
            "set backtrace limit 200",
            "-p",
            Long.toString(pid),
            "-ex",
            "thread apply all bt",
            "-ex",
            "detach"));
  }

  /**
   * Stacks of Java's threads, by the jcmd of its own JDK. It asks by SIGQUIT, which ends a JVM that
   * was told to leave signals alone (-Xrs): so only where there is a handler.
   */
  static Answer java(long pid, Duration left) {
    Path process = Path.of("/proc/" + pid);
    String program = BoundedFile.link(process.resolve("exe")).text().orElse("");
    Path command = Path.of(program).resolveSibling("jcmd");
    if (!Files.isExecutable(command)) {
      return Answer.none("jcmd", "its Java brings no jcmd (" + program + ")");
    }
    if (!ProcEvidence.catches(text(process.resolve("status"), Form.TEXT), Signals.QUIT)) {
      return Answer.none("jcmd", "it has no handler for SIGQUIT, by which jcmd would ask");
    }
    if (text(process.resolve("cmdline"), Form.NUL_SEPARATED)
        .lines()
        .anyMatch("-XX:+DisableAttachMechanism"::equals)) {
      return Answer.none("jcmd", "it was started with -XX:+DisableAttachMechanism");
    }
    return "RS".indexOf(ProcessState.of(pid)) < 0
        ? Answer.none("jcmd", "in state " + ProcessState.of(pid) + " it cannot answer")
        : run("jcmd", pid, left, List.of(command.toString(), Long.toString(pid), "Thread.print"));
  }

  /** Why no debugger is let near it; empty: nothing is in the way. */
  private static String obstacle(long pid) {
    char state = ProcessState.of(pid);
    return switch (state) {
      case 'R', 'S' -> TraceRight.whyNot(pid);
      case 'T' -> "it is stopped (state T), and is left so";
      case 't' -> "a debugger holds it already (state t)";
      case 'D' -> "it is stuck in the kernel (state D), where no debugger reaches it";
      case 'X', 'Z' -> "the process is gone";
      default -> "it is in state " + state;
    };
  }

  private static Answer run(String tool, long pid, Duration left, List<String> words) {
    if (left.isNegative() || left.isZero()) {
      return Answer.none(tool, tool + " was not asked: no time was left");
    }
    CommandResult result =
        Command.of(words)
            .within(left)
            .limit(MOST_BYTES, 1 << 16)
            // A debugger must not look for symbols in the network while the process stands.
            .with("DEBUGINFOD_URLS", "")
            .run();
    if (result.ending() != Ending.EXITED && ProcessState.of(pid) == 'T') {
      // It ran before: the stop was the tool's own, left behind when it was killed.
      Signals.send(pid, Signals.CONTINUE);
    }
    if (result.ending() == Ending.EXITED && hasFrames(result.output())) {
      return new Answer(tool, result.output().strip(), "");
    }
    if (!ProcessState.alive(pid)) {
      return Answer.none(tool, "the process ended while " + tool + " looked at it");
    }
    String said =
        result
            .error()
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("warning:"))
            .findFirst()
            .orElse(result.why().isEmpty() ? "no stack came back" : result.why());
    return Answer.none(tool, tool + ": " + said);
  }

  private static boolean hasFrames(String output) {
    return output
        .lines()
        .anyMatch(line -> line.startsWith("#") || line.matches("\\s+\\S.*\\(.*\\)\\s*"));
  }

  private static String text(Path file, Form form) {
    return BoundedFile.read(file, 1 << 20, form).text().orElse("");
  }
}
