package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;

/** Why what a platform tells cannot be used; only an error where nobody says it better. */
public record Trouble(Trait trait, ErrorCode code, String what) {

  HoldfastException error() {
    return new HoldfastException(code, what);
  }
}
