package dev.holdfast.cli;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Style;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.HoldfastProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A console whose streams a test can read. */
final class TestConsole {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  Console console() {
    return new Console(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        Style.PLAIN,
        100);
  }

  /** Runs a command line and returns its exit code. */
  int run(String... arguments) {
    return Main.run(console(), arguments);
  }

  /**
   * The same as a process of its own, as users start it. For commands that start many more: theirs
   * then start as fast as users' do.
   */
  int runProgram(String... arguments) {
    CommandResult result =
        Command.of(HoldfastProgram.command(List.of("-XX:TieredStopAtLevel=1"), List.of(arguments)))
            .within(PATIENCE)
            .with("LC_ALL", "C.UTF-8")
            .with("COLUMNS", "100")
            .run();
    out.writeBytes(result.output().getBytes(StandardCharsets.UTF_8));
    err.writeBytes((result.error() + result.why()).getBytes(StandardCharsets.UTF_8));
    return result.exitCode();
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
