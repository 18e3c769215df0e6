package dev.holdfast.agent.memory;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.SummedLine;
import dev.holdfast.os.file.OwnFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file behind {@link Memory}: an append log of whole changes, one summed line each, so that a
 * crash leaves a change out or in and never a part of it. Two agents on one folder would number
 * their reports alike, so the folder is locked.
 */
final class MemoryFile implements AutoCloseable {
  private static final long MOST_BYTES = 256L << 20;
  private static final String NAME = "agent.log";

  private final Path folder;
  private final Path file;
  private final FileChannel lock;
  private volatile FileChannel channel;
  private long length;

  private MemoryFile(Path folder, FileChannel lock, FileChannel channel) {
    this.folder = folder;
    this.file = folder.resolve(NAME);
    this.lock = lock;
    this.channel = channel;
  }

  /**
   * @param frame gets every whole line, oldest first; a damaged one ends the reading, and the file
   *     is cut there
   */
  static MemoryFile open(Path folder, Consumer<Map<String, @Nullable Object>> frame)
      throws IOException {
    Files.createDirectories(folder);
    FileChannel lock = OwnFile.open(folder.resolve("lock"), List.of(StandardOpenOption.WRITE));
    try {
      FileLock held = lock.tryLock();
      if (held == null) {
        throw new IOException(folder + ": another agent uses this folder");
      }
      FileChannel channel =
          OwnFile.open(
              folder.resolve(NAME), List.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
      MemoryFile memory = new MemoryFile(folder, lock, channel);
      memory.length = memory.replay(frame);
      channel.truncate(memory.length);
      channel.position(memory.length);
      return memory;
    } catch (OverlappingFileLockException same) {
      lock.close();
      throw new IOException(folder + ": another agent of this process uses this folder", same);
    } catch (IOException | RuntimeException problem) {
      lock.close();
      throw problem;
    }
  }

  private long replay(Consumer<Map<String, @Nullable Object>> frame) throws IOException {
    if (channel.size() > MOST_BYTES) {
      throw new IOException(file + ": longer than " + MOST_BYTES + " bytes");
    }
    long good = 0;
    // Not closed: it would close the channel.
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                java.nio.channels.Channels.newInputStream(channel), StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      var json = SummedLine.read(line);
      long end = good + line.getBytes(StandardCharsets.UTF_8).length + 1;
      if (json.isEmpty() || end > channel.size()) {
        break;
      }
      try {
        frame.accept(Json.object(json.get()));
      } catch (IllegalArgumentException foreign) {
        break;
      }
      good = end;
    }
    return good;
  }

  long length() {
    return length;
  }

  /** Makes what was appended survive a loss of power. */
  void sync() throws IOException {
    FileChannel present = channel;
    try {
      present.force(false);
    } catch (ClosedChannelException replaced) {
      // What took its place was synced before it did.
    }
  }

  /** Appends a line; a write that fails leaves the file as it was. */
  void append(Map<String, @Nullable Object> frame) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(SummedLine.write(Json.line(frame)));
    try {
      int size = bytes.remaining();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      length += size;
    } catch (IOException problem) {
      channel.truncate(length);
      channel.position(length);
      throw problem;
    }
  }

  /** Replaces the whole file by these lines. */
  void replace(Iterable<Map<String, @Nullable Object>> frames) throws IOException {
    Path part = folder.resolve(NAME + ".part");
    FileChannel fresh =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      for (Map<String, @Nullable Object> frame : frames) {
        ByteBuffer bytes = ByteBuffer.wrap(SummedLine.write(Json.line(frame)));
        while (bytes.hasRemaining()) {
          fresh.write(bytes);
        }
      }
      fresh.force(true);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    } catch (IOException problem) {
      fresh.close();
      Files.deleteIfExists(part);
      throw problem;
    }
    FileChannel old = channel;
    channel = fresh;
    old.close();
    length = fresh.size();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    lock.close();
  }
}
