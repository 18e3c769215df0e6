package dev.holdfast.core.forensics.logs;

/**
 * Which step does a line tell of? A word {@code step} or {@code iteration}, alone or at the end of
 * a longer one, then a number: {@code iteration 500/ 10000}, {@code step: 12}, {@code
 * global_step=7}.
 */
final class StepWord {
  /** Of the last {@link #read}. */
  long number;

  /** The same wherever the same program tells of the same step. */
  long event;

  boolean read(byte[] bytes, int from, int end) {
    for (int at = from; at + 4 < end; at++) {
      int length = word(bytes, at, end);
      if (length > 0 && number(bytes, at + length, end)) {
        event = Templates.hash(bytes, from, at + length) * 31 + number;
        return true;
      }
    }
    return false;
  }

  private static int word(byte[] bytes, int at, int end) {
    int first = bytes[at] | 0x20;
    if (first == 's' && is(bytes, at, end, "step")) {
      return 4;
    }
    return first == 'i' && is(bytes, at, end, "iteration") ? 9 : 0;
  }

  private static boolean is(byte[] bytes, int at, int end, String word) {
    if (at + word.length() >= end) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if ((bytes[at + i] | 0x20) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean number(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && at - from < 8 && " :=[#\"'".indexOf(bytes[at]) >= 0) {
      at++;
    }
    int begin = at;
    long value = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9' && at - begin < 15) {
      value = value * 10 + (bytes[at] - '0');
      at++;
    }
    if (at == begin || at == from) {
      return false;
    }
    number = value;
    return true;
  }
}
