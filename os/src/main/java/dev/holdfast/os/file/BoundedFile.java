package dev.holdfast.os.file;

import dev.holdfast.os.file.Reading.Absent;
import dev.holdfast.os.file.Reading.Broken;
import dev.holdfast.os.file.Reading.Denied;
import dev.holdfast.os.file.Reading.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What does this file say? Asked of /proc, /sys and configuration files, where the size a file
 * claims is zero or wrong, a read may fail half-way, and a name may lead to a pipe that never ends.
 *
 * <p>The claimed size is ignored: bytes are read until the end or one past the limit. Pipes,
 * sockets and devices are not opened at all, because opening one can block or have an effect.
 */
public final class BoundedFile {
  private static final int FIRST_BUFFER = 4096;

  private BoundedFile() {}

  /** The whole file as text, if it is no longer than {@code limit} bytes. */
  public static Reading read(Path file, int limit) {
    return read(file, limit, Form.TEXT);
  }

  /** The whole file in the given form, if it is no longer than {@code limit} bytes. */
  public static Reading read(Path file, int limit, Form form) {
    if (limit < 1 || limit == Integer.MAX_VALUE) {
      throw new IllegalArgumentException("limit out of range: " + limit);
    }
    try {
      String obstacle = obstacle(file);
      if (!obstacle.isEmpty()) {
        return new Broken(file + obstacle);
      }
      try (SeekableByteChannel channel = Files.newByteChannel(file)) {
        ByteBuffer bytes = drain(channel, limit + 1);
        return bytes.remaining() > limit
            ? new Broken(file + ": longer than the limit of " + limit + " bytes")
            : decode(file, bytes, form);
      }
    } catch (IOException problem) {
      return failure(file, problem);
    }
  }

  /**
   * The end of a file that may be long, such as a log: at most {@code limit} bytes, beginning after
   * a line break when something was left out.
   */
  public static Reading tail(Path file, int limit) {
    try {
      String obstacle = obstacle(file);
      if (!obstacle.isEmpty()) {
        return new Broken(file + obstacle);
      }
      try (SeekableByteChannel channel = Files.newByteChannel(file)) {
        long skipped = Math.max(0, channel.size() - limit);
        channel.position(skipped);
        ByteBuffer bytes = drain(channel, limit);
        while (skipped > 0 && bytes.hasRemaining() && bytes.get() != '\n') {
          continue;
        }
        return decode(file, bytes, Form.TEXT);
      }
    } catch (IOException problem) {
      return failure(file, problem);
    }
  }

  /** Where a symbolic link points, as written in the link. */
  public static Reading link(Path link) {
    try {
      return new Text(Files.readSymbolicLink(link).toString());
    } catch (NotLinkException problem) {
      return new Broken(link + ": not a symbolic link");
    } catch (IOException problem) {
      return failure(link, problem);
    }
  }

  /**
   * The names in a directory; when there are more than {@code limit}, any {@code limit} of them.
   */
  public static Listing list(Path directory, int limit) {
    List<String> names = new ArrayList<>();
    boolean truncated = false;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (names.size() == limit) {
          truncated = true;
          break;
        }
        names.add(String.valueOf(entry.getFileName()));
      }
    } catch (NotDirectoryException problem) {
      return Listing.unreadable(directory + ": not a directory");
    } catch (DirectoryIteratorException problem) {
      return Listing.unreadable(directory + ": " + problem.getMessage());
    } catch (IOException problem) {
      return Listing.unreadable(failure(directory, problem).why());
    }
    names.sort(null);
    return new Listing(names, truncated, "");
  }

  private static String obstacle(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      return ": is a directory";
    }
    return attributes.isRegularFile() ? "" : ": is a pipe, socket or device, not opened";
  }

  private static ByteBuffer drain(SeekableByteChannel channel, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.min(most, FIRST_BUFFER));
    while (channel.read(bytes) >= 0) {
      if (bytes.hasRemaining()) {
        continue;
      }
      if (bytes.capacity() == most) {
        break;
      }
      int larger = (int) Math.min(most, bytes.capacity() * 4L);
      bytes = ByteBuffer.allocate(larger).put(bytes.flip());
    }
    return bytes.flip();
  }

  private static Reading decode(Path file, ByteBuffer bytes, Form form) {
    byte[] array = bytes.array();
    int from = bytes.position();
    int to = bytes.limit();
    if (form == Form.HEXADECIMAL) {
      return new Text(HexFormat.of().formatHex(array, from, to));
    }
    for (int index = from; index < to; index++) {
      if (array[index] == 0 && form == Form.TEXT) {
        return new Broken(file + ": binary (NUL byte at offset " + (index - from) + ")");
      }
      if (array[index] == 0) {
        array[index] = '\n';
      }
    }
    return new Text(new String(array, from, to - from, StandardCharsets.UTF_8));
  }

  private static Reading failure(Path file, IOException problem) {
    if (problem instanceof NoSuchFileException) {
      return new Absent(file + ": no such file");
    }
    String text = reason(problem);
    String lower = text.toLowerCase(Locale.ROOT);
    if (problem instanceof AccessDeniedException
        || lower.contains("permission denied")
        || lower.contains("not permitted")) {
      return new Denied(file + ": permission denied");
    }
    return lower.equals("not a directory")
        ? new Absent(file + ": no such file (a parent is not a directory)")
        : new Broken(file + ": " + text);
  }

  private static String reason(IOException problem) {
    if (problem instanceof FileSystemException system
        && system.getReason() instanceof String reason) {
      return reason;
    }
    return problem.getMessage() instanceof String message
        ? message
        : problem.getClass().getSimpleName();
  }
}
