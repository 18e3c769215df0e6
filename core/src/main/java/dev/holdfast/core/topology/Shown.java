package dev.holdfast.core.topology;

/** A piece of somebody's file in a message: short enough to read. */
final class Shown {
  private static final int LENGTH = 80;

  private Shown() {}

  static String of(Object piece) {
    String text = piece.toString();
    return text.length() > LENGTH ? text.substring(0, LENGTH) + "…" : text;
  }
}
