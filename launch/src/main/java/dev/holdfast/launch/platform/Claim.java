package dev.holdfast.launch.platform;

/** A number that a source tells, with the name under which it does. */
record Claim(String source, int value) {

  boolean agrees(Claim other) {
    return value == other.value;
  }

  @Override
  public String toString() {
    return source + "=" + value;
  }
}
