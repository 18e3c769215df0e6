package dev.holdfast.core.forensics.flight;

/**
 * What of a dump was called as one?
 *
 * <p>PyTorch records the calls of a batch one by one and then a {@code coalesced} that ends it. Of
 * transfers only that one is ever marked as ended, of collectives that one or the call before it
 * (seen: 2.9, 2.11). So all of a batch have come as far as the furthest of them.
 */
final class Batches {
  private static final String END = "coalesced";

  private final Entries entries;
  private final Vocabulary vocabulary;

  Batches(Entries entries, Vocabulary vocabulary) {
    this.entries = entries;
    this.vocabulary = vocabulary;
  }

  void settle() {
    for (int i = 0; i < entries.size(); i++) {
      if (vocabulary.operation(entries.operation[i]).word().equals(END)) {
        settle(i);
      }
    }
    for (int i = 1; i < entries.size(); i++) {
      if (!entries.batched[i] && endedUnseen(i - 1, i)) {
        entries.state[i - 1] = Entries.COMPLETED;
        entries.state[i] = Entries.COMPLETED;
      }
    }
  }

  /** Two of a batch without its end: a dump of what is active only leaves out ends that were. */
  private boolean endedUnseen(int entry, int next) {
    return entries.pointToPoint[entry]
        && entries.pointToPoint[next]
        && entries.transfer[next] > 0
        && entries.transfer[entry] == entries.transfer[next]
        && entries.group[entry] == entries.group[next];
  }

  private void settle(int end) {
    boolean transfers = end > 0 && belongs(end - 1, end, true);
    int from = end;
    while (from > 0 && belongs(from - 1, end, transfers)) {
      from--;
    }
    // Where what it ends was overwritten, it cannot be told what that was.
    entries.closing[end] = transfers || from == end;
    entries.pointToPoint[end] = entries.closing[end];
    byte state = Entries.SCHEDULED;
    long started = 0;
    long completed = 0;
    for (int i = from; i <= end; i++) {
      state = (byte) Math.max(state, entries.state[i]);
      started = Math.max(started, entries.started[i]);
      completed = Math.max(completed, entries.completed[i]);
    }
    for (int i = from; i <= end; i++) {
      entries.state[i] = state;
      entries.started[i] = started;
      entries.completed[i] = completed;
      entries.batched[i] = transfers;
    }
  }

  private boolean belongs(int entry, int end, boolean transfers) {
    return entries.group[entry] == entries.group[end]
        && entries.pointToPoint[entry] == transfers
        && !entries.closing[entry]
        && (transfers
            ? entries.transfer[entry] == entries.transfer[end] && !entries.ended(entry)
            : entries.sequence[entry] == entries.sequence[end]);
  }
}
