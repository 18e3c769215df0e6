package dev.holdfast.core.slurm;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A time as Slurm's programs write it: seconds since 1970 where {@code SLURM_TIME_FORMAT=%s} was
 * set, else the local time of the machine the program ran on; {@code Unknown}, {@code N/A} and 0
 * mean none.
 */
final class SlurmTime {
  private SlurmTime() {}

  static Optional<Instant> read(String text, ZoneId zone) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      boolean digits = text.chars().allMatch(it -> it >= '0' && it <= '9');
      return digits
          ? of(Long.parseLong(text))
          : Optional.of(LocalDateTime.parse(text).atZone(zone).toInstant());
    } catch (DateTimeException | NumberFormatException none) {
      return Optional.empty();
    }
  }

  /** Slurm writes "none" as 0 and "never" as the largest number of 32 bits less one or two. */
  static Optional<Instant> of(long seconds) {
    boolean none = seconds <= 0 || seconds == 0xFFFF_FFFEL || seconds == 0xFFFF_FFFFL;
    return none || seconds > 253_402_300_799L
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(seconds));
  }
}
