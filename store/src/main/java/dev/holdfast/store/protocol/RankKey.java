package dev.holdfast.store.protocol;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which rank writes a key, where that is certain. When ranks meet for gloo, each writes {@code
 * …/default_pg/0/…/rank_7} about itself and nobody else does. Only the first group of a job is
 * looked at: in any other, 7 is a place in the group and not the rank.
 */
public final class RankKey {
  private static final Pattern OWN =
      Pattern.compile("(?:^|.*/)default_pg/0/(?:[^/]*/)*rank_([0-9]{1,7})");
  private static final byte[] MARK = "rank_".getBytes(StandardCharsets.US_ASCII);
  private static final int LONGEST = 300;

  private RankKey() {}

  /** The rank that writes this key about itself; -1 where the key does not tell. */
  public static int rank(byte[] bytes, int from, int to) {
    int digits = to;
    while (digits > from && bytes[digits - 1] >= '0' && bytes[digits - 1] <= '9') {
      digits--;
    }
    // Looked at for every write, so what is not such a key must be seen at once.
    if (digits == to || to - from > LONGEST || !marked(bytes, from, digits)) {
      return -1;
    }
    Matcher key = OWN.matcher(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    return key.matches() ? Integer.parseInt(key.group(1)) : -1;
  }

  private static boolean marked(byte[] bytes, int from, int end) {
    int at = end - MARK.length;
    if (at < from) {
      return false;
    }
    for (int i = 0; i < MARK.length; i++) {
      if (bytes[at + i] != MARK[i]) {
        return false;
      }
    }
    return true;
  }
}
