package dev.holdfast.bench.net;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where ranks of one machine meet: a folder for Unix sockets or a file to share, readable by nobody
 * else, gone afterwards.
 *
 * @param room bytes of each ring of shared memory
 */
record RankPlaces(Path path, long room) implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long MOST = 1 << 20;
  private static final long LEAST = 16 << 10;

  static RankPlaces of(Transport transport, int ranks) throws IOException {
    return switch (transport) {
      case TCP, NCCL, MPI -> new RankPlaces(Path.of(""), 0);
      case UNIX ->
          new RankPlaces(
              Files.createTempDirectory(
                  "holdfast-net",
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rwx------"))),
              0);
      case SHM -> shared(ranks);
    };
  }

  /**
   * How large each ring can be, so that all of them fit into half of what is free: a page that is
   * not there when it is touched would end the process. 0 when even small ones do not fit.
   */
  static long room(int ranks) {
    try {
      long free = Files.getFileStore(MEMORY).getUsableSpace() / 2;
      long room = MOST;
      // Rings of all neighbours stay below 64 MB a rank, too.
      while (room >= LEAST
          && (SharedMesh.size(ranks, room) > free || room * ranks > 32L << 20 && room > LEAST)) {
        room /= 2;
      }
      return room < LEAST ? 0 : room;
    } catch (IOException missing) {
      return 0;
    }
  }

  private static RankPlaces shared(int ranks) throws IOException {
    long room = room(ranks);
    if (room == 0) {
      throw new IOException(
          "/dev/shm has no room for the rings of "
              + ranks
              + " ranks; make it larger (containers: --shm-size) or take --transport unix");
    }
    Path file =
        Files.createTempFile(
            MEMORY,
            "holdfast-net",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
      content.setLength(SharedMesh.size(ranks, room));
    }
    return new RankPlaces(file, room);
  }

  /** All ranks have it open: the name is not needed any more, and nothing can be left behind. */
  @Override
  public void close() throws IOException {
    if (path.toString().isEmpty() || !Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
