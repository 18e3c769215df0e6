package dev.holdfast.core.forensics.logs;

import java.util.List;

/**
 * What was read.
 *
 * @param ranks ranks that wrote something
 * @param world how many ranks there should be, as far as a line tells; 0: not known
 * @param absent ranks that should be there and of which there is no line
 * @param unreadable files that could not be read, and why
 * @param limits what was left out because a bound was reached, one line each
 */
public record LogVolume(
    int files,
    long bytes,
    long lines,
    int ranks,
    int world,
    List<Integer> absent,
    List<String> unreadable,
    List<String> limits) {
  public LogVolume {
    absent = List.copyOf(absent);
    unreadable = List.copyOf(unreadable);
    limits = List.copyOf(limits);
  }
}
