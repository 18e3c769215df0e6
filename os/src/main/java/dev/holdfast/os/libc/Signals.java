package dev.holdfast.os.libc;

/** Signals to processes, and what a process can ask the kernel to be to others. */
public final class Signals {
  public static final int HANG_UP = 1;
  public static final int INTERRUPT = 2;
  public static final int QUIT = 3;
  public static final int KILL = 9;
  public static final int TERMINATE = 15;
  public static final int CONTINUE = 18;

  static final int SET_CHILD_SUBREAPER = 36;

  private Signals() {}

  /** Sends a signal to a process, or to a group when the number is negative; false: none there. */
  public static boolean send(long pid, int signal) {
    if (pid == 0 || pid == -1 || pid == 1) {
      throw new IllegalArgumentException("no signal to process " + pid);
    }
    return Libc.kill(pid, signal) >= 0;
  }

  /**
   * Descendants whose parent dies become our children, not those of the first process: so they can
   * still be found. False when the kernel refuses.
   */
  public static boolean adoptOrphans() {
    return Libc.processControl(SET_CHILD_SUBREAPER, 1) >= 0;
  }
}
