package dev.holdfast.core.health;

import dev.holdfast.core.text.Wrap;

/** One observation behind a finding: where it was read and what stood there. */
public record Evidence(String source, String value) {
  private static final int MAX_VALUE = 500;

  public Evidence {
    value = Wrap.cut(value.strip(), MAX_VALUE);
  }
}
