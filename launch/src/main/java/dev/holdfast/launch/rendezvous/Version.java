package dev.holdfast.launch.rendezvous;

import java.util.Comparator;

/**
 * Which of two records is newer: the one of the later term, then the one written later.
 *
 * @param origin the incarnation of the job's first leader; tells apart the records of one that
 *     crashed before anything began from those of the one started in its place
 */
record Version(long term, long index, long origin) implements Comparable<Version> {
  static final Version NONE = new Version(0, 0, 0);

  private static final Comparator<Version> ORDER =
      Comparator.comparingLong(Version::term)
          .thenComparingLong(Version::index)
          .thenComparingLong(Version::origin);

  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }
}
