package dev.holdfast.core.health;

/** One observation behind a finding: where it was read and what stood there. */
public record Evidence(String source, String value) {
  private static final int MAX_VALUE = 500;

  public Evidence {
    value = value.strip();
    if (value.length() > MAX_VALUE) {
      value = value.substring(0, MAX_VALUE - 1) + "…";
    }
  }
}
