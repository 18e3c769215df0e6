package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.debug.DebugError;
import dev.holdfast.core.forensics.debug.DebugFindings;
import dev.holdfast.core.forensics.debug.DebugReport;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.os.file.BoundedFile;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Runs a program under a debugger and reads the report it leaves. */
final class DebugRun {
  private static final int MOST_BYTES = 64 << 20;
  private static final int MOST_ERRORS = 10;
  private static final int CANNOT_RUN = 3;

  /** What gdb says of a program that it ended itself, where it was stopped. */
  private static final int NOT_ENDED = 255;

  private final Console console;
  private final Debugger tool;
  private final OptionalInt rank;
  private final Optional<Path> wanted;

  /**
   * @param wanted where the report is to go
   */
  DebugRun(Console console, Debugger tool, OptionalInt rank, Optional<Path> wanted) {
    this.console = console;
    this.tool = tool;
    this.rank = rank;
    this.wanted = wanted;
  }

  /**
   * What came of it.
   *
   * @param ended the exit code of the program under the tool
   * @param file the tool's own report
   */
  record Result(
      Debugger tool, OptionalInt rank, Subject subject, int ended, DebugReport report, Path file) {
    int exitCode() {
      boolean killed = tool == Debugger.GDB && ended == NOT_ENDED && !report.errors().isEmpty();
      if (ended != 0 && !killed) {
        return ended;
      }
      return !report.errors().isEmpty() ? 1 : report.total() < 0 ? CANNOT_RUN : 0;
    }

    Map<String, @Nullable Object> json() {
      return Json.map(
          "schema",
          "holdfast.debug/1",
          "tool",
          tool.word(),
          "rank",
          rank.isPresent() ? rank.getAsInt() : null,
          "exitCode",
          ended,
          "errors",
          report.total() < 0 ? null : report.total(),
          "shown",
          report.shown(),
          "complete",
          report.total() >= 0,
          "report",
          file.toString(),
          "remarks",
          report.remarks(),
          "findings",
          DebugFindings.of(report, tool.word(), subject, file.toString()).stream()
              .map(FindingForm::json)
              .toList());
    }

    String text(Style style, int width) {
      StringBuilder out = new StringBuilder();
      String who = rank.isPresent() ? "rank " + rank.getAsInt() + ": " : "";
      out.append(style.bold(tool.word() + "  " + who + counted())).append('\n');
      for (DebugError error : report.errors().stream().limit(MOST_ERRORS).toList()) {
        line(out, DebugFindings.summary(error), 2, width);
        if (!error.detail().isEmpty()) {
          line(out, error.detail(), 6, width);
        }
        if (!error.launched().isEmpty()) {
          line(out, "launched by " + error.launched(), 6, width);
        }
      }
      if (report.errors().size() > MOST_ERRORS) {
        out.append("  and ").append(report.errors().size() - MOST_ERRORS).append(" more kinds\n");
      }
      report.remarks().forEach(remark -> line(out, "said: " + remark, 2, width));
      out.append("  report ").append(file).append('\n');
      return out.toString();
    }

    private String counted() {
      if (report.total() < 0) {
        return "the report has no end: the tool could not work, or was cut off";
      }
      if (report.total() == 0) {
        return "no errors";
      }
      String errors = report.total() + (report.total() == 1 ? " error" : " errors");
      return report.shown() < report.total()
          ? "%s, of which it wrote down %d (--print-limit N: more)"
              .formatted(errors, report.shown())
          : errors;
    }

    private static void line(StringBuilder out, String text, int indent, int width) {
      out.append(" ".repeat(indent)).append(Wrap.hanging(text, indent + 2, width)).append('\n');
    }
  }

  /**
   * @param options handed to the tool
   * @param quiet whether stdout is kept free of what the program prints
   */
  Result run(
      List<String> options, List<String> program, Map<String, String> environment, boolean quiet) {
    if (options.contains("--log-file")) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--log-file: say --report FILE");
    }
    String found = tool.program(environment);
    Path file = place(environment);
    List<String> line = tool.line(found, options, file, program);
    ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
    if (quiet) {
      builder.redirectOutput(Redirect.appendTo(new File("/dev/stderr")));
    }
    console.message("running under %s; its report: %s".formatted(found, file));
    TaskGroup group = new TaskGroup();
    Runtime.getRuntime().addShutdownHook(new Thread(group::end, "end program"));
    group.start(
        () -> {
          try {
            return builder.start();
          } catch (IOException problem) {
            throw notStarted(problem);
          }
        });
    int ended = group.await();
    String text =
        BoundedFile.read(file, MOST_BYTES)
            .text()
            .or(() -> BoundedFile.tail(file, MOST_BYTES).text())
            .orElse("");
    return new Result(tool, rank, subject(environment), ended, tool.read(text), file);
  }

  static HoldfastException notStarted(IOException problem) {
    return new HoldfastException(
        ErrorCode.NO_PROGRAM, String.valueOf(problem.getMessage()), problem);
  }

  /** A new file: an old report must never be taken for this one. */
  private Path place(Map<String, String> environment) {
    try {
      if (wanted.isPresent()) {
        Path file = wanted.get().toAbsolutePath();
        Files.deleteIfExists(file);
        return file;
      }
      String stacks = environment.getOrDefault("HOLDFAST_STACK_FILE", "");
      Path folder = stacks.startsWith("/") ? Path.of(stacks).getParent() : null;
      String name = tool.word() + (rank.isPresent() ? "-rank" + rank.getAsInt() : "") + "-";
      return folder != null && Files.isWritable(folder)
          ? Files.createTempFile(folder, name, ".txt")
          : Files.createTempFile("holdfast-" + name, ".txt");
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, "the report: " + refused.getMessage(), refused);
    }
  }

  private Subject subject(Map<String, String> environment) {
    String slurm = environment.getOrDefault("SLURM_JOB_ID", "");
    String job =
        environment.getOrDefault("HOLDFAST_JOB", slurm.isEmpty() ? "local" : "slurm-" + slurm);
    return new Subject.Job(job.replaceAll("[^A-Za-z0-9._:@+-]", "-"), rank.orElse(-1));
  }
}
