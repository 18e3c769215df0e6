package dev.holdfast.control.slurm;

/** Slurm answered, and said no. */
final class SlurmRefusal extends Exception {
  private static final long serialVersionUID = 1;

  SlurmRefusal(String message) {
    super(message);
  }
}
