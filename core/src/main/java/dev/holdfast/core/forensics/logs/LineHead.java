package dev.holdfast.core.forensics.logs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What stands before the text of a line: whose line it is, and when it was written.
 *
 * <p>Labels: {@code 12: } of {@code srun -l}, {@code [rank12]:} of PyTorch (the rank), {@code
 * [default3]:} of torchrun (the place on the node), {@code [1,12]<stderr>:} of Open MPI; {@code
 * n17: } of pdsh, {@code worker-0 | } of docker, {@code [pod/worker-0/main] } of kubectl, {@code
 * (Worker pid=31, ip=10.0.0.7) } of Ray (the node); {@code stderr F } of container runtimes, which
 * tells nothing. Labels and times may follow each other in any order.
 */
final class LineHead {
  private static final int MOST_RANK = 1_000_000;
  private static final int MOST_PARTS = 5;
  private static final int MOST_NAME = 253;

  private final Stamp stamp;
  private final Sniff form;

  /** The rank the line names, −1: none. */
  int rank;

  /** The place on the node the line names, −1: none. */
  int local;

  /** The node the line names, empty: none. */
  String node = "";

  /** Names of nodes come again and again. */
  private byte[] lastName = new byte[0];

  private String lastNode = "";

  /** Microseconds since 1970, {@link Stamp#NONE}: the line has no time. */
  long time;

  /** Where the text begins. */
  int text;

  LineHead(long written, Sniff form) {
    stamp = new Stamp(written);
    this.form = form;
  }

  void read(byte[] bytes, int from, int end) {
    rank = -1;
    local = -1;
    node = "";
    time = Stamp.NONE;
    int at = from;
    for (int part = 0; part < MOST_PARTS && at < end; part++) {
      byte first = bytes[at];
      int after = at;
      if (first == '[') {
        after = starts(bytes, at, end, "[pod/") ? pod(bytes, at, end) : bracket(bytes, at, end);
      } else if (first == '(') {
        after = worker(bytes, at, end);
      } else if (part == 0 && form == Sniff.NUMBERED) {
        after = number(bytes, at, end);
      } else if (part == 0 && form == Sniff.HOSTED) {
        after = host(bytes, at, end);
      } else if (part == 0 && first == '>' && at + 1 < end && bytes[at + 1] == ' ') {
        after = at + 1; // quoted in a mail or a thread
      } else if (first == 's' && time != Stamp.NONE) {
        after = stream(bytes, at, end);
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

  /** {@code n17: } and {@code worker-0 | }. */
  private int host(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && at - from < MOST_NAME && isName(bytes[at])) {
      at++;
    }
    int name = at;
    while (at < end && bytes[at] == ' ' && at - name < 40) {
      at++;
    }
    boolean colon = at == name && at < end && bytes[at] == ':';
    boolean bar = at > name && at < end && bytes[at] == '|';
    if (name == from || !(colon || bar)) {
      return from;
    }
    node = name(bytes, from, name);
    return at + 1;
  }

  /** {@code [pod/worker-0/main] }. */
  private int pod(byte[] bytes, int from, int end) {
    int begin = from + 5;
    int slash = begin;
    while (slash < end && slash - begin < MOST_NAME && isName(bytes[slash])) {
      slash++;
    }
    int close = slash;
    while (close < end && close - slash < MOST_NAME && bytes[close] != ']') {
      close++;
    }
    if (slash == begin || close >= end || bytes[close] != ']') {
      return from;
    }
    node = name(bytes, begin, slash);
    return close + 1;
  }

  /** {@code (RayTrainWorker pid=31, ip=10.0.0.7) }, also with how often it was repeated. */
  private int worker(byte[] bytes, int from, int end) {
    int close = from;
    int pid = -1;
    int ip = -1;
    while (close < end && close - from < MOST_NAME && bytes[close] != ')') {
      if (starts(bytes, close, end, "pid=")) {
        pid = close;
      } else if (starts(bytes, close, end, "ip=")) {
        ip = close + 3;
      }
      close++;
    }
    if (pid < 0 || close >= end || bytes[close] != ')') {
      return from;
    }
    if (ip > 0) {
      int last = ip;
      while (last < close && isName(bytes[last])) {
        last++;
      }
      node = name(bytes, ip, last);
    }
    return close + 1;
  }

  /** {@code stderr F } of a container runtime, behind the time. */
  private static int stream(byte[] bytes, int from, int end) {
    boolean known = starts(bytes, from, end, "stdout ") || starts(bytes, from, end, "stderr ");
    int tag = from + 7;
    return known
            && tag + 1 < end
            && (bytes[tag] == 'F' || bytes[tag] == 'P')
            && bytes[tag + 1] == ' '
        ? tag + 1
        : from;
  }

  private String name(byte[] bytes, int from, int end) {
    if (!Arrays.equals(lastName, 0, lastName.length, bytes, from, end)) {
      lastName = Arrays.copyOfRange(bytes, from, end);
      lastNode = new String(lastName, StandardCharsets.US_ASCII);
    }
    return lastNode;
  }

  private static boolean starts(byte[] bytes, int from, int end, String word) {
    if (from + word.length() > end) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[from + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isName(byte b) {
    return isWord(b) || b == '.';
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
