package dev.holdfast.agent.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that somebody appends kernel lines to, such as {@code /var/log/kern.log} or one of a test.
 * It is looked at many times a second; one that was replaced or cut is read from its beginning.
 */
public final class KernelFile implements Feed {
  private static final long PAUSE_MILLIS = 50;
  private static final int MOST_LINE = 8192;

  private final Path file;
  private final ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
  private @Nullable FileChannel channel;
  private String key = "";
  private long offset;
  private boolean caughtUp;
  private volatile boolean closed;

  private KernelFile(Path file, String position) {
    this.file = file;
    String[] words = position.split(" ");
    if (words.length == 3 && words[0].equals("file")) {
      key = words[1];
      offset = Long.parseLong(words[2]);
    }
  }

  public static KernelFile open(Path file, String position) {
    return new KernelFile(file, position);
  }

  @Override
  public List<String> next() throws IOException, InterruptedException {
    while (!closed) {
      List<String> lines = read();
      if (!lines.isEmpty()) {
        return lines;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return List.of();
  }

  private List<String> read() throws IOException {
    Map<String, Object> seen;
    try {
      seen = Files.readAttributes(file, "unix:ino,size");
    } catch (NoSuchFileException absent) {
      caughtUp = true;
      return List.of();
    }
    String present = String.valueOf(seen.get("ino"));
    long size = seen.get("size") instanceof Long bytes ? bytes : 0;
    if (!present.equals(key) || size < offset) {
      key = present;
      offset = 0;
      shut();
    }
    FileChannel source = channel;
    if (source == null) {
      source = FileChannel.open(file, StandardOpenOption.READ);
      channel = source;
    }
    List<String> lines = new ArrayList<>();
    if (size > offset && source.read(buffer.clear(), offset) > 0) {
      take(buffer.flip(), lines);
    } else {
      caughtUp = true;
    }
    return lines;
  }

  /** The offset moves only with whole lines, so that a restart begins with one. */
  private void take(ByteBuffer bytes, List<String> lines) {
    int whole = 0;
    for (int i = bytes.limit() - 1; i >= 0 && whole == 0; i--) {
      whole = bytes.get(i) == '\n' ? i + 1 : 0;
    }
    if (whole == 0 && bytes.limit() < bytes.capacity()) {
      return;
    }
    int used = whole == 0 ? bytes.limit() : whole;
    String text = new String(bytes.array(), 0, used, StandardCharsets.UTF_8);
    text.lines().filter(line -> line.length() <= MOST_LINE).forEach(lines::add);
    offset += used;
  }

  private void shut() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  @Override
  public String position() {
    return "file " + key + " " + offset;
  }

  @Override
  public boolean caughtUp() {
    return caughtUp;
  }

  @Override
  public long missed() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    shut();
  }
}
