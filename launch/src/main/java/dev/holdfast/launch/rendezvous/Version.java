package dev.holdfast.launch.rendezvous;

/** Which of two records is newer: the one of the later term, then the one written later. */
record Version(long term, long index) implements Comparable<Version> {
  static final Version NONE = new Version(0, 0);

  @Override
  public int compareTo(Version other) {
    int byTerm = Long.compare(term, other.term);
    return byTerm != 0 ? byTerm : Long.compare(index, other.index);
  }

  Version next(long newTerm) {
    return new Version(newTerm, index + 1);
  }
}
