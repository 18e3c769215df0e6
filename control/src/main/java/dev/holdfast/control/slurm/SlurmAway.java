package dev.holdfast.control.slurm;

/** Slurm did not answer: nothing is known of what came of it, and it may be asked again. */
final class SlurmAway extends Exception {
  private static final long serialVersionUID = 1;

  SlurmAway(String message) {
    super(message);
  }
}
