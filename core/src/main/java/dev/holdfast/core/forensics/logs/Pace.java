package dev.holdfast.core.forensics.logs;

/** How far the job came as one file tells it, whoever of its ranks writes the line. */
final class Pace {
  long step = -1;

  /** How often a line told of a further step. */
  long steps;

  /** Lines that were written before and nobody thought worth a word of alarm. */
  long routine;

  /** When the last of them was written. */
  long routineTime = Stamp.NONE;

  /** When the last further step was told, by the clock of the node. */
  long time = Stamp.NONE;
}
