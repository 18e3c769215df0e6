package dev.holdfast.control.entry;

import dev.holdfast.core.text.Words;
import java.util.Locale;

/** Why a statement was not taken in; few words, so that they can be counted one by one. */
public enum Ground {
  /** It is about another node than the one that says it. */
  OTHER_NODE,
  /** It is about a job that belongs to another source, or would drop members of it. */
  OTHER_JOB,
  /** Such a source does not say such a thing. */
  NOT_ITS_TO_SAY,
  /** It answers what another was asked. */
  NOT_ASKED,
  /** Another source told it first and it still holds. */
  REPORTED_BY_ANOTHER,
  /** More than one source may have open at once. */
  TOO_MANY,
  /** More than one source may say in a second. */
  TOO_FAST,
  /** A later life than there can be. */
  EPOCH,
  /** It cannot be read, or is beyond a limit of its kind. */
  MALFORMED,
  /** Deciding about it failed, which is a defect of ours. */
  FAILED,
  /** Another machine speaks for the source. */
  SECOND_MACHINE;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Ground of(String word) {
    return Words.read("the ground", word, Ground.class);
  }
}
