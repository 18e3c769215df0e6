package dev.holdfast.core.text;

/** How many of what, in words: {@code 1 round}, {@code 2 rounds}. */
public final class Counted {
  private Counted() {}

  /**
   * @param one the word for one, whose plural has an s
   */
  public static String of(long count, String one) {
    return count + " " + (count == 1 ? one : one + "s");
  }
}
