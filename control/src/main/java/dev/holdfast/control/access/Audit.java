package dev.holdfast.control.access;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.os.file.OwnFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who acted or tried to, in the order it happened: one JSON line each, in files of bounded size
 * beside the journal. The journal says what came of it; this also says who was refused, which must
 * not fill the journal. Refusals have files of their own: however many there are, they push out
 * nothing of what was done.
 */
public final class Audit {
  public static final String FILE = "audit.jsonl";
  public static final String REFUSED = "refused.jsonl";
  private static final int REFUSAL = 400;
  private static final int MOST_WORDS = 300;
  private static final int KEPT = 1_000;
  private static final int OLD_FILES = 4;

  private final Optional<Path> folder;
  private final long mostBytes;
  private final Consumer<String> says;
  private final Deque<String> done = new ArrayDeque<>();
  private final Deque<String> refused = new ArrayDeque<>();
  private boolean failed;

  private Audit(Optional<Path> folder, long mostBytes, Consumer<String> says) {
    this.folder = folder;
    this.mostBytes = mostBytes;
    this.says = says;
  }

  public static Audit inMemory() {
    return new Audit(Optional.empty(), 0, _ -> {});
  }

  /** The one of a folder, going on after what is there. */
  public static Audit open(Path folder, Consumer<String> says) throws IOException {
    return open(folder, 16L << 20, says);
  }

  static Audit open(Path folder, long mostBytes, Consumer<String> says) throws IOException {
    Audit audit = new Audit(Optional.of(folder), mostBytes, says);
    for (String name : List.of(FILE, REFUSED)) {
      if (Files.exists(folder.resolve(name))) {
        audit.recall(folder.resolve(name));
      }
    }
    return audit;
  }

  private void recall(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      int most = (int) Math.min(size, KEPT * 500L);
      ByteBuffer bytes = ByteBuffer.allocate(most);
      while (bytes.hasRemaining() && channel.read(bytes, size - most + bytes.position()) > 0) {
        // Until it is full.
      }
      List<String> lines =
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).lines().toList();
      // The first may have lost its beginning, the last its end in a crash.
      Deque<String> last = file.endsWith(FILE) ? done : refused;
      lines.stream()
          .filter(it -> it.startsWith("{") && it.endsWith("}"))
          .forEach(it -> remember(last, it));
    }
  }

  /**
   * @param what the request: its method and path
   * @param outcome in the terms of HTTP
   */
  public synchronized void add(
      Instant at, Caller who, String peer, String what, int outcome, String why) {
    String line =
        Json.line(
            Json.map(
                "at",
                Times.show(at),
                "actor",
                who.name(),
                "role",
                Grant.word(who.role()),
                "peer",
                peer,
                "what",
                Wrap.cut(what, MOST_WORDS),
                "outcome",
                outcome,
                "why",
                why.isEmpty() ? null : Wrap.cut(why, MOST_WORDS)));
    boolean refusal = outcome >= REFUSAL;
    remember(refusal ? refused : done, line);
    folder.map(it -> it.resolve(refusal ? REFUSED : FILE)).ifPresent(it -> write(it, line));
  }

  private void write(Path file, String line) {
    try {
      append(file, line);
      failed = false;
    } catch (IOException full) {
      if (!failed) {
        says.accept("who acts cannot be written to " + file + ": " + full.getMessage());
      }
      failed = true;
    }
  }

  private void append(Path file, String line) throws IOException {
    if (Files.exists(file) && Files.size(file) > mostBytes) {
      for (int i = OLD_FILES - 1; i >= 0; i--) {
        Path from = i == 0 ? file : file.resolveSibling(file.getFileName() + "." + i);
        Path to = file.resolveSibling(file.getFileName() + "." + (i + 1));
        if (Files.exists(from)) {
          Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    try (FileChannel channel =
        OwnFile.append(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    }
  }

  private static void remember(Deque<String> last, String line) {
    last.addLast(line);
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  /** The newest first. */
  public synchronized List<Map<String, @Nullable Object>> recent(int limit) {
    return Stream.concat(done.reversed().stream(), refused.reversed().stream())
        .flatMap(Audit::read)
        .sorted(Comparator.comparing(Audit::at).reversed())
        .limit(limit)
        .toList();
  }

  private static Stream<Map<String, @Nullable Object>> read(String line) {
    try {
      return Stream.of(Json.object(line));
    } catch (IllegalArgumentException torn) {
      return Stream.empty(); // it was cut short in a crash
    }
  }

  private static String at(Map<String, @Nullable Object> line) {
    return String.valueOf(line.get("at"));
  }
}
