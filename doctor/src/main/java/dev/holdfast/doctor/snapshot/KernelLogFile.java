package dev.holdfast.doctor.snapshot;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.doctor.node.KernelLogNode;
import dev.holdfast.doctor.node.NodeView;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * A kernel log that lies in a file, as dmesg, journalctl or syslog write it; compressed, too. Of a
 * long one the end is read.
 */
public final class KernelLogFile {
  private static final int CHUNK = 1 << 16;

  /** Of a longer log only the end: the newest lines matter most. */
  private static final int MOST_KEPT = 16 << 20;

  private static final long MOST_READ = 4L << 30;
  private static final int MAGIC = 4;

  private KernelLogFile() {}

  /** What a person means who names this place: a snapshot, a folder like one, or a kernel log. */
  public static NodeView open(Path place) {
    if (!Files.isRegularFile(place) || isArchive(place)) {
      return SnapshotArchive.open(place);
    }
    String text = text(place);
    if (!KernelLogNode.isLog(text)) {
      throw new HoldfastException(
          ErrorCode.NOT_AN_ARCHIVE, place + " is neither a snapshot nor a kernel log");
    }
    return KernelLogNode.alone(text, named(place), written(place));
  }

  /** The text of a log that was named as one. */
  public static String text(Path file) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      in.mark(MAGIC);
      byte[] begin = in.readNBytes(2);
      in.reset();
      boolean packed = begin.length == 2 && begin[0] == 0x1f && begin[1] == (byte) 0x8b;
      return end(packed ? new GZIPInputStream(in, 1 << 16) : in);
    } catch (NoSuchFileException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, file + ": no such file", e);
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, file + ": " + e.getMessage(), e);
    }
  }

  /** However much there is, only so much is kept. */
  private static String end(InputStream in) throws IOException {
    byte[] buffer = new byte[CHUNK];
    int filled = 0;
    long all = 0;
    for (int read = 0; read >= 0; read = in.read(buffer, filled, buffer.length - filled)) {
      filled += read;
      all += read;
      if (all > MOST_READ) {
        throw new IOException("more than 4 GiB: give its end (tail -c 16M)");
      }
      if (filled == buffer.length && buffer.length < 2 * MOST_KEPT) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      } else if (filled == buffer.length) {
        System.arraycopy(buffer, MOST_KEPT, buffer, 0, MOST_KEPT);
        filled = MOST_KEPT;
      }
    }
    int from = Math.max(0, filled - MOST_KEPT);
    return new String(buffer, from, filled - from, StandardCharsets.UTF_8);
  }

  private static boolean isArchive(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] begin = in.readNBytes(2);
      return begin.length == 2 && begin[0] == 'P' && begin[1] == 'K';
    } catch (IOException unreadable) {
      return true; // whoever opens it says why
    }
  }

  private static Instant written(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException unreadable) {
      return Instant.now();
    }
  }

  /** {@code dmesg-n17.txt} is of n17. */
  private static String named(Path file) {
    String name = String.valueOf(file.getFileName());
    String stem = name.replaceFirst("(?:\\.(?:log|txt|out|gz|dmesg))+$", "");
    String node = stem.replaceFirst("^(?:dmesg|kern|kernel|journal|messages|syslog)[-_.]+", "");
    return node.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}") ? node : "unknown";
  }
}
