package dev.holdfast.control.access;

import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file of secrets that people may change while we run. What cannot be read is said once, and what
 * was read last stays in force; a file that was removed is empty.
 */
final class TokenFile<T> {
  private static final int MOST = 64 << 20;

  private final Path file;
  private final T nothing;
  private final Function<String, T> reader;
  private final Consumer<String> says;
  private @Nullable Object stamp;
  private T last;

  /** Whether it could be read once. */
  private boolean known;

  private String trouble = "";

  TokenFile(Path file, T nothing, Function<String, T> reader, Consumer<String> says) {
    this.file = file;
    this.nothing = nothing;
    this.reader = reader;
    this.says = says;
    this.last = nothing;
  }

  /** What it says now, or said when it could last be read. */
  synchronized T read() {
    Object now = stamp();
    if (now.equals(stamp)) {
      return last;
    }
    stamp = now;
    Reading reading = BoundedFile.read(file, MOST);
    if (reading instanceof Reading.Absent) {
      known = true; // nobody
      trouble = "";
      last = nothing;
      return last;
    }
    Optional<String> text = reading.text();
    try {
      last = reader.apply(text.orElseThrow(() -> new IllegalArgumentException(reading.why())));
      known = true;
      trouble = "";
    } catch (IllegalArgumentException garbage) {
      trouble = file.getFileName() + " cannot be read: " + garbage.getMessage();
      says.accept(
          trouble
              + (known
                  ? "; what it said before stays in force until it is mended"
                  : "; until it is mended nobody is let in by it, and only the admin token holds"));
    }
    return last;
  }

  /** Why it must not be replaced: somebody's work is in it that we cannot read. Empty: it may. */
  synchronized String trouble() {
    read();
    return trouble;
  }

  synchronized void write(T value, String text) throws IOException {
    AtomicFile.writeSecret(file, text.getBytes(StandardCharsets.UTF_8));
    last = value;
    known = true;
    trouble = "";
    stamp = stamp();
  }

  /** Differs whenever the file was replaced or written to. */
  private Object stamp() {
    try {
      BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
      return java.util.List.of(of.lastModifiedTime(), of.size(), String.valueOf(of.fileKey()));
    } catch (IOException absent) {
      return "absent";
    }
  }
}
