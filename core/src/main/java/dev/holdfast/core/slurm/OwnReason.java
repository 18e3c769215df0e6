package dev.holdfast.core.slurm;

/**
 * The reasons the control plane gives. They say that they are its own, so that it resumes what it
 * drained and nothing else; what the health program of a node drained ({@code holdfast: CHECK…}) is
 * that program's to resume.
 */
public final class OwnReason {
  private static final String OWNER = "holdfast: control ";
  private static final int MOST = 200;

  private OwnReason() {}

  /**
   * @param action the request that has the node drained: a trace from Slurm back to the decision
   */
  public static String of(String action, String why) {
    return line(OWNER + action + ": " + why);
  }

  public static boolean is(String reason) {
    return reason.startsWith(OWNER);
  }

  /** One short line: Slurm's own programs cut or garble others. */
  public static String line(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\"'\\[\\]|]+", " ").replaceAll(" +", " ").strip();
    return plain.length() <= MOST ? plain : plain.substring(0, MOST - 1) + "…";
  }
}
