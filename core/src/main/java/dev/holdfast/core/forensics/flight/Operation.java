package dev.holdfast.core.forensics.flight;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an entry says was done: {@code nccl:all_reduce}, {@code nccl:send 0->3}.
 *
 * @param word without the library's name
 * @param sender place in the group, −1 for a collective
 * @param receiver place in the group, −1 for a collective
 */
record Operation(String word, int sender, int receiver) {
  private static final Pattern PAIR =
      Pattern.compile("(send|recv)\\s+(\\d{1,9})\\s*(->|<-)\\s*(\\d{1,9})");

  static Operation of(String profilingName) {
    String word = profilingName.substring(profilingName.indexOf(':') + 1);
    Matcher pair = PAIR.matcher(word);
    if (!pair.find()) {
      return new Operation(word, -1, -1);
    }
    int left = Integer.parseInt(pair.group(2));
    int right = Integer.parseInt(pair.group(4));
    boolean forth = pair.group(3).equals("->");
    return new Operation(word, forth ? left : right, forth ? right : left);
  }

  boolean pointToPoint() {
    return sender >= 0;
  }

  boolean sends() {
    return word.startsWith("send");
  }

  /** Whether every member must give tensors of the same size. */
  boolean even() {
    String small = word.toLowerCase(Locale.ROOT);
    return !(small.contains("to_all")
        || small.contains("alltoall")
        || small.contains("gather") && !small.contains("all_gather") && !small.contains("allgather")
        || small.contains("scatter")
            && !small.contains("reduce_scatter")
            && !small.contains("reducescatter")
        || small.contains("coalesced")
        || small.contains("barrier"));
  }
}
