package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * How did a child of this process end? Asked of the kernel directly, which keeps apart what Java
 * makes one: exit code 137 and signal 9.
 *
 * <p>Looking and collecting are two calls, so that the owner can make sure that nobody signals the
 * number between the two: until it is collected the number belongs to the dead child.
 */
public final class Reaper {
  static final int EVERYBODY = 0;
  static final int ONE = 1;
  static final int EXITED = 4;
  static final int LEAVE = 0x0100_0000;
  static final int NOT_WAITING = 1;
  static final int INFORMATION_BYTES = 128;
  static final int CODE = 8;
  static final int PID = 16;
  static final int STATUS = 24;
  static final int CODE_EXITED = 1;
  private static final int INTERRUPTED = -4;

  private Reaper() {}

  /**
   * The end of a child.
   *
   * @param exitCode −1 when a signal ended it
   * @param signal 0 when it exited
   */
  public record Ended(long pid, int exitCode, int signal) {}

  /** Waits until some child is dead and leaves it so; empty when there is no child at all. */
  public static Optional<Ended> await() {
    return ask(EVERYBODY, 0, EXITED | LEAVE);
  }

  /** Waits until this child is dead and leaves it so; empty when it is no child of ours. */
  public static Optional<Ended> await(long pid) {
    return ask(ONE, pid, EXITED | LEAVE);
  }

  /** Collects a child that is dead; its number may then be given to another process. */
  public static void collect(long pid) {
    var _ = ask(ONE, pid, EXITED | NOT_WAITING);
  }

  private static Optional<Ended> ask(int kind, long id, int options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment information = arena.allocate(INFORMATION_BYTES, 8);
      int result;
      do {
        result = Libc.await(kind, id, information, options);
      } while (result == INTERRUPTED);
      if (result < 0) {
        return Optional.empty();
      }
      int status = information.get(JAVA_INT, STATUS);
      boolean exited = information.get(JAVA_INT, CODE) == CODE_EXITED;
      return Optional.of(
          new Ended(information.get(JAVA_INT, PID), exited ? status : -1, exited ? 0 : status));
    }
  }
}
