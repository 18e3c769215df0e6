package dev.holdfast.core.forensics.flight;

/**
 * Is what a dump leaves open still open, or was the dump just taken before those of the others?
 *
 * <p>A dump in which a rank had not begun what others could only end together with it is older,
 * whatever clocks say. Else the times of the files tell, where they were kept; those of a copy do
 * not, and copies show by being written long after anything happened.
 */
enum DumpAge {
  OLDER,
  LATER,
  UNKNOWN;

  private static final long SECOND = 1_000_000_000L;
  private static final long STANDS = 10 * SECOND;
  private static final long COPIED = 24 * 3600 * SECOND;

  /**
   * How old the dump of a rank is.
   *
   * @param furthest the last collective of the group that another member has ended
   */
  static DumpAge of(
      Standing rank, Group group, long furthest, boolean statusCounts, Recordings recordings) {
    long newest = recordings.newest();
    if (furthest > rank.enqueued(group, statusCounts)) {
      return OLDER;
    }
    Long written = recordings.written().get(rank.rank());
    long after = written == null || newest == 0 ? Long.MAX_VALUE : written - newest;
    if (after < -SECOND) {
      return OLDER;
    }
    if (after >= STANDS && after < COPIED) {
      return LATER;
    }
    return newest - Recordings.newest(rank.flight) > STANDS ? OLDER : UNKNOWN;
  }
}
