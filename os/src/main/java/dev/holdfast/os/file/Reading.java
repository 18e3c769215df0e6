package dev.holdfast.os.file;

import java.util.Optional;

/**
 * What came of reading one file: its text, or the reason there is none.
 *
 * <p>"Not there", "not allowed" and "not usable" lead to different answers (skip, ask for a
 * capability, report a fault), so they are different types rather than one exception.
 */
public sealed interface Reading {
  /** The whole content. */
  record Text(String value) implements Reading {
    @Override
    public Optional<String> text() {
      return Optional.of(value);
    }

    @Override
    public String why() {
      return "";
    }
  }

  /** There is no such file. */
  record Absent(String why) implements Reading {}

  /** The file is there, but this process may not read it. */
  record Denied(String why) implements Reading {}

  /** The file is there, but what it holds is unusable: too large, binary, no file, I/O error. */
  record Broken(String why) implements Reading {}

  /** The content, if there is one. */
  default Optional<String> text() {
    return Optional.empty();
  }

  /** Why there is no text, naming the file; empty when there is. */
  String why();
}
