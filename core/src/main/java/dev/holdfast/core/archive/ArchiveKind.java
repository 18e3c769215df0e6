package dev.holdfast.core.archive;

import java.util.regex.Pattern;

/**
 * What an archive holds, such as {@code snapshot}, and the version of its layout. A reader accepts
 * its own version and older ones.
 */
public record ArchiveKind(String name, int version) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z-]{0,39}");

  public ArchiveKind {
    if (!NAME.matcher(name).matches() || version < 1) {
      throw new IllegalArgumentException("not an archive kind: " + name + " " + version);
    }
  }

  @Override
  public String toString() {
    return name + "/" + version;
  }
}
