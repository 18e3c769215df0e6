package dev.holdfast.launch.watch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines added to a file since the last look. The file may not be there yet, be cut, be replaced
 * by another of the same name, or hold anything at all; a look reads no more than a bound, and when
 * far behind, goes on near the end.
 */
final class LineFollower {
  static final int MOST_BYTES = 256 * 1024;
  static final int LONGEST_LINE = 8 * 1024;

  private final Path file;
  private @Nullable Object identity;
  private @Nullable FileTime modified;
  private long size = -1;
  private long offset;
  private byte[] rest = new byte[0];
  private boolean skipping;

  LineFollower(Path file) {
    this.file = file;
  }

  /**
   * What a look found.
   *
   * @param changed whether size, time or identity of the file are others than before
   * @param lines the whole lines that were new
   */
  record Look(boolean changed, List<String> lines) {}

  Look look() {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException notThere) {
      return new Look(false, List.of());
    }
    if (!now.isRegularFile()) {
      return new Look(false, List.of());
    }
    boolean other = identity != null && !identity.equals(now.fileKey());
    boolean changed = other || size != now.size() || !now.lastModifiedTime().equals(modified);
    identity = now.fileKey();
    modified = now.lastModifiedTime();
    size = now.size();
    if (other || size < offset) {
      offset = 0;
      rest = new byte[0];
      skipping = false;
    }
    return new Look(changed, offset < size ? read() : List.of());
  }

  private List<String> read() {
    if (size - offset > 4L * MOST_BYTES) {
      offset = size - MOST_BYTES;
      rest = new byte[0];
      skipping = true;
    }
    byte[] bytes = new byte[(int) Math.min(MOST_BYTES, size - offset)];
    int length;
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(offset);
      length = Math.max(0, in.read(bytes));
    } catch (IOException unreadable) {
      return List.of();
    }
    offset += length;
    return split(bytes, length);
  }

  private List<String> split(byte[] bytes, int length) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] != '\n' && bytes[i] != '\r') {
        continue;
      }
      int size = rest.length + i - start;
      if (!skipping && size > 0 && size <= LONGEST_LINE) {
        lines.add(joined(bytes, start, i));
      }
      skipping = false;
      rest = new byte[0];
      start = i + 1;
    }
    keep(bytes, start, length);
    return lines;
  }

  private void keep(byte[] bytes, int start, int end) {
    if (skipping || rest.length + end - start > LONGEST_LINE) {
      skipping = skipping || end > start;
      rest = new byte[0];
      return;
    }
    byte[] longer = new byte[rest.length + end - start];
    System.arraycopy(rest, 0, longer, 0, rest.length);
    System.arraycopy(bytes, start, longer, rest.length, end - start);
    rest = longer;
  }

  private String joined(byte[] bytes, int start, int end) {
    if (rest.length == 0) {
      return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
    byte[] line = new byte[rest.length + end - start];
    System.arraycopy(rest, 0, line, 0, rest.length);
    System.arraycopy(bytes, start, line, rest.length, end - start);
    return new String(line, StandardCharsets.UTF_8);
  }
}
