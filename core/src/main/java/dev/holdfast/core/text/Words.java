package dev.holdfast.core.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The words of an enumeration as people and JSON write them: small, with hyphens. A word that is
 * none of them is an error that says which there are.
 */
public final class Words {
  private static final int MOST_SHOWN = 40;

  private Words() {}

  public static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @param what names the word in the message
   */
  public static <E extends Enum<E>> E read(String what, String word, Class<E> kind) {
    for (E value : kind.getEnumConstants()) {
      if (of(value).equalsIgnoreCase(word) || value.name().equalsIgnoreCase(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "%s is '%s'; it is one of %s"
            .formatted(
                what,
                Wrap.cut(word, MOST_SHOWN),
                Arrays.stream(kind.getEnumConstants())
                    .map(Words::of)
                    .collect(Collectors.joining(", "))));
  }
}
