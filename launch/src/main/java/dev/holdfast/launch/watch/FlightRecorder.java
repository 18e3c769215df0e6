package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.FlightDump;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;

/**
 * PyTorch's record of one rank's collectives: asked for by a byte in a pipe, which only NCCL makes;
 * a thread of its own then writes what it knows to a file, and the rank goes on.
 *
 * @param pipe there once the rank's first process group is
 * @param dump where the record goes; written anew each time
 */
public record FlightRecorder(int rank, Path pipe, Path dump) {
  private static final int MOST_BYTES = 32 << 20;

  /** As its environment says; empty: it was told to write none. */
  public static Optional<FlightRecorder> of(int rank, Map<String, String> environment) {
    String pipe = environment.getOrDefault("TORCH_NCCL_DEBUG_INFO_PIPE_FILE", "");
    String dump =
        environment.getOrDefault(
            "TORCH_FR_DUMP_TEMP_FILE",
            environment.getOrDefault("TORCH_NCCL_DEBUG_INFO_TEMP_FILE", ""));
    return pipe.startsWith("/") && dump.startsWith("/")
        ? Optional.of(
            new FlightRecorder(rank, Path.of(pipe + rank + ".pipe"), Path.of(dump + rank)))
        : Optional.empty();
  }

  /** Asks for a record; whether there is somebody who may write one. Returns at once. */
  public boolean ask() {
    try {
      if (!Files.readAttributes(pipe, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther()) {
        return false;
      }
      // Opened for both, so that it does not wait for a reader who is gone.
      try (FileChannel channel =
          FileChannel.open(
              pipe, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        channel.write(ByteBuffer.wrap(new byte[] {'1'}));
      }
      return true;
    } catch (IOException | UnsupportedOperationException none) {
      return false;
    }
  }

  /** When the record was written, in milliseconds since 1970; 0: there is none. */
  public long writtenMillis() {
    try {
      return Files.size(dump) == 0 ? 0 : Files.getLastModifiedTime(dump).toMillis();
    } catch (IOException none) {
      return 0;
    }
  }

  public long size() {
    try {
      return Files.size(dump);
    } catch (IOException none) {
      return 0;
    }
  }

  /** How far the rank was, as far as the record can be read. */
  public Optional<FlightDump> read() {
    if (size() > MOST_BYTES) {
      return Optional.empty();
    }
    try {
      return FlightDump.of(Files.readAllBytes(dump));
    } catch (IOException none) {
      return Optional.empty();
    }
  }
}
