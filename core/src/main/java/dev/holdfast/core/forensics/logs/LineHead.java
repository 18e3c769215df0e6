package dev.holdfast.core.forensics.logs;

/**
 * What stands before the text of a line: whose line it is, and when it was written.
 *
 * <p>Labels: {@code 12: } of {@code srun -l}, {@code [rank12]:} of PyTorch (the rank), {@code
 * [default3]:} of torchrun (the place on the node), {@code [1,12]<stderr>:} of Open MPI. Labels and
 * times may follow each other in any order.
 */
final class LineHead {
  private static final int MOST_RANK = 1_000_000;
  private static final int MOST_PARTS = 5;

  private final Stamp stamp;
  private final boolean numbered;

  /** The rank the line names, −1: none. */
  int rank;

  /** The place on the node the line names, −1: none. */
  int local;

  /** Microseconds since 1970, {@link Stamp#NONE}: the line has no time. */
  long time;

  /** Where the text begins. */
  int text;

  LineHead(long written, boolean numbered) {
    stamp = new Stamp(written);
    this.numbered = numbered;
  }

  void read(byte[] bytes, int from, int end) {
    rank = -1;
    local = -1;
    time = Stamp.NONE;
    int at = from;
    for (int part = 0; part < MOST_PARTS && at < end; part++) {
      byte first = bytes[at];
      int after = at;
      if (first == '[') {
        after = bracket(bytes, at, end);
      } else if (part == 0 && numbered) {
        after = number(bytes, at, end);
      }
      if (after == at && time == Stamp.NONE && stamp.read(bytes, at, end)) {
        time = stamp.micros;
        after = stamp.next;
      }
      if (after == at) {
        break;
      }
      at = after;
      while (at < end && (bytes[at] == ' ' || bytes[at] == '\t') && at - after < 2) {
        at++;
      }
    }
    text = at;
  }

  /** {@code 12: }; the number is aligned to the right. */
  private int number(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] == ' ' && at - from < 7) {
      at++;
    }
    int begin = at;
    int value = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9' && at - begin < 7) {
      value = value * 10 + (bytes[at] - '0');
      at++;
    }
    if (at == begin || at >= end || bytes[at] != ':' || value >= MOST_RANK) {
      return from;
    }
    rank = value;
    return at + 1;
  }

  private int bracket(byte[] bytes, int from, int end) {
    int at = from + 1;
    int begin = at;
    while (at < end && at - begin < 40 && isWord(bytes[at])) {
      at++;
    }
    if (at < end && bytes[at] == ',' && at == begin + 1) {
      return mpi(bytes, from, at + 1, end);
    }
    if (at + 1 >= end || bytes[at] != ']' || bytes[at + 1] != ':' || !isDigit(bytes[at - 1])) {
      return from;
    }
    int number = at;
    while (number > begin && isDigit(bytes[number - 1])) {
      number--;
    }
    if (number == begin || at - number > 7) {
      return from;
    }
    int value = 0;
    for (int digit = number; digit < at; digit++) {
      value = value * 10 + (bytes[digit] - '0');
    }
    if (value >= MOST_RANK) {
      return from;
    }
    boolean global =
        number - begin == 4
            && bytes[begin] == 'r'
            && bytes[begin + 1] == 'a'
            && bytes[begin + 2] == 'n'
            && bytes[begin + 3] == 'k';
    if (global) {
      rank = value;
    } else {
      local = value;
    }
    return at + 2;
  }

  /** {@code [1,12]<stderr>:}. */
  private int mpi(byte[] bytes, int from, int begin, int end) {
    int at = begin;
    int value = 0;
    while (at < end && isDigit(bytes[at]) && at - begin < 7) {
      value = value * 10 + (bytes[at] - '0');
      at++;
    }
    if (at == begin || at + 2 >= end || bytes[at] != ']' || bytes[at + 1] != '<') {
      return from;
    }
    int close = at + 2;
    while (close < end && bytes[close] != ':' && close - at < 16) {
      close++;
    }
    if (close >= end || bytes[close] != ':' || value >= MOST_RANK) {
      return from;
    }
    rank = value;
    return close + 1;
  }

  private static boolean isWord(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '_'
        || b == '-';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
