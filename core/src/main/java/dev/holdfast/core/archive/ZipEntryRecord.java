package dev.holdfast.core.archive;

/**
 * One line of a zip's directory.
 *
 * @param stored whether the content is there as it is, not deflated
 * @param mode the Unix file mode, 0 when the writer stated none
 * @param header where the entry's own header begins
 */
record ZipEntryRecord(
    String name, boolean stored, long crc, long packed, long size, int mode, long header) {
  private static final int KIND_OF_FILE = 0xF000;
  private static final int REGULAR = 0x8000;

  /** Whether it is a plain file, rather than a directory, a symbolic link or a device. */
  boolean regular() {
    int kind = mode & KIND_OF_FILE;
    return !name.endsWith("/") && (kind == 0 || kind == REGULAR);
  }
}
