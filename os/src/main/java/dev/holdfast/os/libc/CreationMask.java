package dev.holdfast.os.libc;

/**
 * Makes files that a library creates ours alone, whatever the mask of the process is. Others that
 * are made meanwhile are, too, so the work should be short.
 */
public final class CreationMask {
  private static final int OWNER_ONLY = 077;
  private static final Object ONE_AT_A_TIME = new Object();

  private CreationMask() {}

  /** What makes files. */
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  public static <T, E extends Exception> T ownerOnly(Work<T, E> work) throws E {
    synchronized (ONE_AT_A_TIME) {
      int before = Libc.creationMask(OWNER_ONLY);
      try {
        return work.run();
      } finally {
        int _ = Libc.creationMask(before);
      }
    }
  }
}
