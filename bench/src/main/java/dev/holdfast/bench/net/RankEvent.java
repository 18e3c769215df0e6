package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;

/** Something heard of a rank. */
sealed interface RankEvent {
  int rank();

  /** It said something. */
  record Said(int rank, Fields message) implements RankEvent {}

  /** Its connection is closed. */
  record Silent(int rank) implements RankEvent {}

  /** Its process has ended. */
  record Ended(int rank, int code) implements RankEvent {}
}
