package dev.holdfast.cli.console;

import dev.holdfast.core.text.Style;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/** The two streams of a command: answers on {@code out}, messages on {@code err}. */
public record Console(PrintStream out, PrintStream err, Style style, int width) {
  private static final int DEFAULT_WIDTH = 100;

  /** The process's own streams in UTF-8; colours only on a terminal without NO_COLOR. */
  public static Console ofProcess() {
    Map<String, String> environment = System.getenv();
    boolean terminal = System.console() != null && System.console().isTerminal();
    boolean colours =
        terminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    return new Console(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        colours ? Style.ANSI : Style.PLAIN,
        width(environment.getOrDefault("COLUMNS", "")));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new Output(new FileOutputStream(descriptor));
  }

  private static int width(String columns) {
    try {
      return Math.clamp(Integer.parseInt(columns), 60, 160);
    } catch (NumberFormatException e) {
      return DEFAULT_WIDTH;
    }
  }

  /** Why answers could not be written, if they could not: a full disk, a reader that went. */
  public Optional<IOException> outputFailure() {
    return out instanceof Output output ? output.failure() : Optional.empty();
  }

  public void answer(String text) {
    out.print(text);
    out.flush();
  }

  /** Empties the screen, where there is one. */
  public void clear() {
    answer(style == Style.ANSI ? "\u001b[H\u001b[2J" : "\n");
  }

  /** Shows how far work has come, where a person watches; gone when it is done. */
  public void progress(String what, int done, int total) {
    if (style == Style.ANSI) {
      err.print(done == total ? "\r\u001b[K" : "\r%s %d/%d\u001b[K".formatted(what, done, total));
      err.flush();
    }
  }

  public void message(String text) {
    err.println("holdfast: " + text);
    err.flush();
  }
}
