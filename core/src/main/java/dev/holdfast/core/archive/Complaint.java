package dev.holdfast.core.archive;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;

/** Words errors of one archive: its name first. */
record Complaint(String archive) {
  HoldfastException because(ErrorCode code, String problem) {
    return new HoldfastException(code, archive + " " + problem);
  }
}
