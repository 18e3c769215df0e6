package dev.holdfast.cli;

import dev.holdfast.cli.command.RootCommand;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import java.util.Locale;
import picocli.CommandLine;

/** Starts a command and turns whatever happens into an exit code. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // Programs read what we write, so numbers look the same wherever we run.
    Locale.setDefault(Locale.ROOT);
    int code = run(Console.ofProcess(), arguments);
    // Not a plain return: threads left behind by probes that hang must not keep the process.
    System.exit(code);
  }

  /** Runs one command line; what tests and the process share. */
  public static int run(Console console, String... arguments) {
    CommandLine line = RootCommand.commandLine(console, arguments);
    line.setOut(console.help());
    line.setErr(console.hints());
    line.setParameterExceptionHandler((problem, _) -> Failures.usage(console, problem));
    line.setExecutionExceptionHandler((problem, _, _) -> Failures.failed(console, problem));
    int code = line.execute(arguments);
    return console.out().failed() ? Failures.unwritten(console) : code;
  }
}
