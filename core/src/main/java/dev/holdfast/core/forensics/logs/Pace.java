package dev.holdfast.core.forensics.logs;

/** How far the job came as one file tells it, whoever of its ranks writes the line. */
final class Pace {
  long step = -1;

  /** How often a line told of a further step. */
  long steps;

  /** Lines that tell of work done without the number of a step: losses, batches, bars. */
  long progress;

  /** When the last of them was written. */
  long progressTime = Stamp.NONE;

  /** When the last further step was told, by the clock of the node. */
  long time = Stamp.NONE;
}
