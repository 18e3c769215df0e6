package dev.holdfast.core.forensics.flight;

/**
 * Something ranks do together: one collective of a group by its number, or the calls between two
 * members that wait for each other.
 *
 * @param sequence number of the collective; −1 between two
 * @param sender global rank; −1 for a collective
 * @param receiver global rank; −1 for a collective
 */
record Meeting(Group group, long sequence, int sender, int receiver) {
  boolean pair() {
    return sender >= 0;
  }

  String text() {
    return pair()
        ? "the transfer from rank " + sender + " to rank " + receiver + " in " + group.text()
        : "collective " + sequence + " of " + group.text();
  }
}
