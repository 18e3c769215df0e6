package dev.holdfast.cli.console;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Visible;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes. Whatever is written as text is made harmless here, and there is no other
 * way for text: names, log lines and messages come from nodes, jobs and files of others, and must
 * neither move the cursor of a terminal nor turn its letters around.
 *
 * <p>Failures are kept, so that the command can say why nothing arrived.
 */
public final class Output {
  private final OutputStream target;
  private final boolean unwatched;
  private @Nullable IOException first;

  /**
   * @param unwatched whether a program or a file takes what is written, so that bytes may go there
   *     as they are
   */
  Output(OutputStream target, boolean unwatched) {
    this.target = target;
    this.unwatched = unwatched;
  }

  static Output of(FileDescriptor descriptor, int number) {
    return new Output(
        new FileOutputStream(descriptor), unwatched(Path.of("/proc/self/fd/" + number)));
  }

  /** A pipe, a socket or a file; anything else may be a terminal. */
  private static boolean unwatched(Path open) {
    try {
      String kind = Files.readSymbolicLink(open).toString();
      return kind.startsWith("pipe:") || kind.startsWith("socket:") || Files.isRegularFile(open);
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Writes text, made harmless, in the styles it has. */
  public void text(String text) {
    control(Style.painted(Visible.text(text)));
  }

  /** Writes bytes as they are, and as harmless text where somebody watches. */
  public void exact(byte[] bytes, int length) {
    if (unwatched) {
      write(bytes, length);
    } else {
      text(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }
  }

  /** What a problem looks like inside, for those who asked for it. */
  public void trace(Throwable problem) {
    StringWriter text = new StringWriter();
    problem.printStackTrace(new PrintWriter(text));
    text(text.toString());
  }

  /** For libraries that write text. */
  PrintWriter writer(Consumer<String> door) {
    return new PrintWriter(
        new Writer() {
          @Override
          public void write(char[] letters, int from, int length) {
            door.accept(new String(letters, from, length));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        },
        true);
  }

  /** For what moves the cursor: nothing that came from anywhere may be in it. */
  void control(String ours) {
    byte[] bytes = ours.getBytes(StandardCharsets.UTF_8);
    write(bytes, bytes.length);
  }

  private synchronized void write(byte[] bytes, int length) {
    try {
      target.write(bytes, 0, length);
      target.flush();
    } catch (IOException failed) {
      first = first == null ? failed : first;
    }
  }

  /** Whether something could not be written, so that there is no use in going on. */
  public boolean failed() {
    return failure().isPresent();
  }

  synchronized Optional<IOException> failure() {
    return Optional.ofNullable(first);
  }
}
