package dev.holdfast.os.file;

/** How the bytes of a file become text. */
public enum Form {
  /** UTF-8; bytes that are not become U+FFFD, and a NUL byte means the file is binary. */
  TEXT,
  /** Strings separated by NUL, as in {@code /proc/1/cmdline}; each becomes a line. */
  NUL_SEPARATED,
  /** Lower-case hexadecimal digits, for registers such as the PCI configuration space. */
  HEXADECIMAL
}
