package dev.holdfast.control.slurm;

/** Slurm did not answer: nothing is known of what came of it, and it may be asked again. */
class SlurmAway extends Exception {
  private static final long serialVersionUID = 1;

  SlurmAway(String message) {
    super(message);
  }

  /** It answered about one thing, and that could not be read; about others it may. */
  static final class Garbled extends SlurmAway {
    private static final long serialVersionUID = 1;

    Garbled(String message) {
      super("Slurm's answer could not be read: " + message);
    }
  }
}
