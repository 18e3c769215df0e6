package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How much room is left on the file system that holds a path? {@code statvfs}, because Java tells
 * the bytes but not the inodes. The call waits as long as the file system's server does: make it on
 * a thread that may be left behind.
 *
 * @param size bytes in all
 * @param free bytes nobody uses, including those kept for root
 * @param available bytes an ordinary user may still take
 * @param files inodes in all; 0 where the file system makes them as needed
 */
public record FileSystemSpace(long size, long free, long available, long files, long freeFiles) {
  /** The layout of {@code struct statvfs} on 64-bit Linux. */
  static final int LENGTH = 112;

  static final int FRAGMENT = 8;
  static final int BLOCKS = 16;
  static final int FREE = 24;
  static final int AVAILABLE = 32;
  static final int FILES = 40;
  static final int FREE_FILES = 48;

  public static FileSystemSpace of(String path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statvfs = arena.allocate(LENGTH, 8);
      int result = Libc.fileSystem(arena.allocateFrom(path), statvfs);
      if (result < 0) {
        throw new IOException(path + ": " + Errno.name(-result));
      }
      long block = statvfs.get(JAVA_LONG, FRAGMENT);
      return new FileSystemSpace(
          bytes(statvfs.get(JAVA_LONG, BLOCKS), block),
          bytes(statvfs.get(JAVA_LONG, FREE), block),
          bytes(statvfs.get(JAVA_LONG, AVAILABLE), block),
          Math.max(0, statvfs.get(JAVA_LONG, FILES)),
          Math.max(0, statvfs.get(JAVA_LONG, FREE_FILES)));
    }
  }

  /** Some network file systems answer nonsense; it is bounded rather than believed. */
  private static long bytes(long blocks, long block) {
    return blocks <= 0 || block <= 0 || blocks > Long.MAX_VALUE / block ? 0 : blocks * block;
  }
}
