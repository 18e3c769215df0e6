package dev.holdfast.control.entry;

/**
 * What findings may have in common, by kind and name: {@code gpu node/n17/gpu/3}, {@code node n17},
 * {@code leaf leaf2}, {@code power row-b}, {@code driver 580.65}.
 */
public record Cause(String kind, String name) {
  public Cause {
    if (kind.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException("a cause needs a kind and a name");
    }
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }

  public static Cause of(String text) {
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException("not a cause: " + text);
    }
    return new Cause(text.substring(0, space), text.substring(space + 1));
  }
}
