package dev.holdfast.bench.imports;

/** Reads what one benchmark prints. */
interface Importer {
  /** As {@code --format} calls it. */
  String name();

  /** Whether the text looks like this benchmark's. */
  boolean recognises(Log log);

  /** Whether the rounds it tells of were each in processes of their own. */
  default boolean tellsRounds() {
    return false;
  }

  /** The results; an {@link IllegalArgumentException} says what is missing or wrong. */
  Imported read(Log log, Hints hints);
}
