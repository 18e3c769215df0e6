package dev.holdfast.os.file;

import java.util.List;

/**
 * The names in one directory, sorted.
 *
 * @param truncated whether there were more names than asked for
 * @param why why nothing could be listed; empty when it could
 */
public record Listing(List<String> names, boolean truncated, String why) {
  public Listing {
    names = List.copyOf(names);
  }

  static Listing unreadable(String why) {
    return new Listing(List.of(), false, why);
  }

  public boolean readable() {
    return why.isEmpty();
  }
}
