package dev.holdfast.core.forensics.logs;

/**
 * A line worth keeping.
 *
 * @param time microseconds since 1970 by the clock of its node: its own, or that of the last line
 *     before it that has one; {@link Stamp#NONE}: none
 * @param exact whether the time is its own
 * @param line counted from 1
 * @param text without label and time, bounded
 */
record Said(long time, boolean exact, long line, String file, String text) {
  String place() {
    return file + ":" + line;
  }
}
