package dev.holdfast.cli;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Style;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A console whose streams a test can read. */
final class TestConsole {
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

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
