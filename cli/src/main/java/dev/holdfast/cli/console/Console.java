package dev.holdfast.cli.console;

import dev.holdfast.core.text.Style;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The two streams of a command: answers on {@code out}, messages on {@code err}. */
public record Console(Output out, Output err, Style style, int width) {
  private static final int DEFAULT_WIDTH = 100;

  /** A console that nobody watches. */
  public Console(OutputStream out, OutputStream err, Style style, int width) {
    this(new Output(out, true), new Output(err, true), style, width);
  }

  /** The process's own streams in UTF-8; colours only on a terminal without NO_COLOR. */
  public static Console ofProcess() {
    Map<String, String> environment = System.getenv();
    boolean terminal = System.console() != null && System.console().isTerminal();
    boolean colours =
        terminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    return new Console(
        Output.of(FileDescriptor.out, 1),
        Output.of(FileDescriptor.err, 2),
        colours ? Style.ANSI : Style.PLAIN,
        width(environment.getOrDefault("COLUMNS", "")));
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
    return out.failure();
  }

  public void answer(String text) {
    out.text(text);
  }

  /** What a program reads that knows no escapes: metrics, XML. */
  public void document(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.exact(bytes, bytes.length);
  }

  /** Empties the screen, where there is one. */
  public void clear() {
    out.control(style == Style.ANSI ? "\u001b[H\u001b[2J" : "\n");
  }

  /** Shows how far work has come, where a person watches; gone when it is done. */
  public void progress(String what, int done, int total) {
    progress(done == total ? "" : "%s %d/%d".formatted(what, done, total));
  }

  public void progress(String line) {
    if (style == Style.ANSI) {
      err.control("\r\u001b[K");
      err.text(line);
    }
  }

  /** Where picocli writes its help: all of it is ours, and has colours that only picocli makes. */
  public PrintWriter help() {
    return out.writer(out::control);
  }

  /** Where picocli writes what it thinks of a command line. */
  public PrintWriter hints() {
    return err.writer(err::text);
  }

  /** Its later lines are indented: no text in it can pass for another message. */
  public void message(String text) {
    err.text("holdfast: " + text.stripTrailing().replace("\n", "\n  ") + "\n");
  }
}
