package dev.holdfast.core.text;

import java.util.Comparator;

/**
 * Compares text the way people count, {@code mlx5_2} before {@code mlx5_10}: runs of digits by
 * value, the rest by letter.
 */
public final class NaturalOrder {
  public static final Comparator<String> NAMES = NaturalOrder::compare;

  private NaturalOrder() {}

  private static int compare(String left, String right) {
    int i = 0;
    int j = 0;
    while (i < left.length() && j < right.length()) {
      char a = left.charAt(i);
      char b = right.charAt(j);
      if (isDigit(a) && isDigit(b)) {
        int startA = skipZeros(left, i);
        int startB = skipZeros(right, j);
        int endA = endOfDigits(left, startA);
        int endB = endOfDigits(right, startB);
        int byLength = Integer.compare(endA - startA, endB - startB);
        int byValue =
            byLength != 0
                ? byLength
                : left.substring(startA, endA).compareTo(right.substring(startB, endB));
        if (byValue != 0) {
          return byValue;
        }
        i = endA;
        j = endB;
      } else if (a != b) {
        return Character.compare(a, b);
      } else {
        i++;
        j++;
      }
    }
    int byRest = Integer.compare(left.length() - i, right.length() - j);
    return byRest != 0 ? byRest : left.compareTo(right);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int skipZeros(String text, int from) {
    int i = from;
    while (i + 1 < text.length() && text.charAt(i) == '0' && isDigit(text.charAt(i + 1))) {
      i++;
    }
    return i;
  }

  private static int endOfDigits(String text, int from) {
    int i = from;
    while (i < text.length() && isDigit(text.charAt(i))) {
      i++;
    }
    return i;
  }
}
