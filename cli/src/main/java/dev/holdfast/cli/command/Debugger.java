package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.debug.DebugReport;
import dev.holdfast.core.forensics.debug.GdbReport;
import dev.holdfast.core.forensics.debug.SanitizerReport;
import dev.holdfast.os.process.ProgramPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The debuggers a program can be run under, and how each is told to write a report. */
enum Debugger {
  MEMCHECK,
  RACECHECK,
  INITCHECK,
  SYNCCHECK,
  GDB;

  private static final List<String> SANITIZERS = List.of("compute-sanitizer", "cuda-memcheck");
  private static final List<String> DEBUGGERS = List.of("cuda-gdb", "gdb");

  /** Signals that jobs use among themselves, and the one by which stacks are asked for. */
  private static final String PASSED = "handle SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE nostop noprint pass";

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The program to run, the first found of those that can do it.
   *
   * @throws HoldfastException if none is here
   */
  String program(Map<String, String> environment) {
    List<String> names = this == GDB ? DEBUGGERS : SANITIZERS;
    for (String name : names) {
      for (String folders : places(environment)) {
        Optional<String> found = ProgramPath.find(name, folders);
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new HoldfastException(
        ErrorCode.NO_DEBUGGER,
        "%s needs %s, and neither is here".formatted(word(), String.join(" or ", names)));
  }

  private static List<String> places(Map<String, String> environment) {
    List<String> places = new ArrayList<>();
    places.add(environment.getOrDefault("PATH", ""));
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      String root = environment.getOrDefault(variable, "");
      if (!root.isEmpty()) {
        places.add(root + "/bin:" + root + "/compute-sanitizer");
      }
    }
    places.add("/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer");
    return places;
  }

  /**
   * The whole command line.
   *
   * @param options of the tool, handed on as they are
   */
  List<String> line(String program, List<String> options, Path report, List<String> command) {
    List<String> line = new ArrayList<>(List.of(program));
    if (this == GDB) {
      line.addAll(
          List.of(
              "-nx",
              "-batch",
              "-return-child-result",
              "-iex",
              "set auto-load off",
              "-iex",
              "set width 0",
              "-iex",
              "set confirm off",
              "-iex",
              "set logging file " + report,
              "-iex",
              "set logging redirect on",
              "-iex",
              "set logging on",
              "-iex",
              PASSED));
      line.addAll(options);
      line.addAll(List.of("-ex", "run", "-ex", "bt 40", "-ex", "thread apply all bt 20", "--args"));
    } else {
      line.addAll(List.of("--tool", word(), "--log-file", report.toString()));
      line.addAll(options);
    }
    line.addAll(command);
    return line;
  }

  DebugReport read(String report) {
    return this == GDB ? GdbReport.read(report) : SanitizerReport.read(report);
  }
}
