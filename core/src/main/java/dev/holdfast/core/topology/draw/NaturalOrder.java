package dev.holdfast.core.topology.draw;

import java.util.Comparator;

/** Names with numbers as people count: {@code mlx5_2} before {@code mlx5_10}. */
final class NaturalOrder {
  static final Comparator<String> NAMES = NaturalOrder::compare;

  private NaturalOrder() {}

  private static int compare(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      int iEnd = digits(one, i);
      int jEnd = digits(other, j);
      int order;
      if (iEnd > i && jEnd > j) {
        String left = one.substring(i, iEnd).replaceFirst("^0+(?=.)", "");
        String right = other.substring(j, jEnd).replaceFirst("^0+(?=.)", "");
        order = left.length() - right.length();
        order = order != 0 ? order : left.compareTo(right);
        i = iEnd;
        j = jEnd;
      } else {
        order = Character.compare(one.charAt(i++), other.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int rest = (one.length() - i) - (other.length() - j);
    return rest != 0 ? rest : one.compareTo(other);
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
