package dev.holdfast.control.access;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
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
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who acted or tried to, in the order it happened: one JSON line each, in files of bounded size
 * beside the journal. The journal says what came of it; this also says who was refused, which must
 * not fill the journal.
 */
public final class Audit {
  public static final String FILE = "audit.jsonl";
  private static final int KEPT = 1_000;
  private static final int OLD_FILES = 4;

  private final Optional<Path> file;
  private final long mostBytes;
  private final Consumer<String> says;
  private final Deque<String> last = new ArrayDeque<>();
  private boolean failed;

  private Audit(Optional<Path> file, long mostBytes, Consumer<String> says) {
    this.file = file;
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
    Path file = folder.resolve(FILE);
    Audit audit = new Audit(Optional.of(file), mostBytes, says);
    if (Files.exists(file)) {
      audit.recall(file);
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
      lines.stream().filter(it -> it.startsWith("{") && it.endsWith("}")).forEach(this::remember);
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
                what,
                "outcome",
                outcome,
                "why",
                why.isEmpty() ? null : why));
    remember(line);
    if (file.isPresent()) {
      try {
        append(file.get(), line);
        failed = false;
      } catch (IOException full) {
        if (!failed) {
          says.accept("who acts cannot be written to " + file.get() + ": " + full.getMessage());
        }
        failed = true;
      }
    }
  }

  private void append(Path file, String line) throws IOException {
    if (Files.exists(file) && Files.size(file) > mostBytes) {
      for (int i = OLD_FILES - 1; i >= 0; i--) {
        Path from = i == 0 ? file : file.resolveSibling(FILE + "." + i);
        if (Files.exists(from)) {
          Files.move(
              from, file.resolveSibling(FILE + "." + (i + 1)), StandardCopyOption.REPLACE_EXISTING);
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

  private void remember(String line) {
    last.addLast(line);
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  /** The newest first. */
  public synchronized List<Map<String, @Nullable Object>> recent(int limit) {
    List<Map<String, @Nullable Object>> recent = new ArrayList<>();
    for (String line : last.reversed()) {
      if (recent.size() == limit) {
        break;
      }
      try {
        recent.add(Json.object(line));
      } catch (IllegalArgumentException torn) {
        // A line that was cut short in a crash.
      }
    }
    return recent;
  }
}
