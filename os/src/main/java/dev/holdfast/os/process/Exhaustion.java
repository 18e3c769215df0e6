package dev.holdfast.os.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a process that has no memory, or no thread, left? It ends: half of its parts
 * would go on without the others, and whatever started it starts it again.
 *
 * <p>{@code -XX:+ExitOnOutOfMemoryError} does this only where the virtual machine itself finds the
 * heap full. Direct buffers and threads that cannot be had are plain errors to it, which kill the
 * thread that happened to ask; those come here. A stack that is too deep is the fault of what was
 * asked, not of the machine, and ends nothing.
 */
public final class Exhaustion {
  /** That of the virtual machine's own flag. */
  public static final int EXIT_CODE = 3;

  private static final int MOST_CAUSES = 20;

  /** Made while there is memory. */
  private static final byte[] PREFIX =
      "holdfast: ends, because it ran out of memory or threads: ".getBytes(StandardCharsets.UTF_8);

  private static final FileOutputStream ERR = new FileOutputStream(FileDescriptor.err);

  private Exhaustion() {}

  /** From now on an exhaustion no thread catches ends the process; all else is printed as ever. */
  public static void endsProcess() {
    // What halting needs is loaded now, as later there may be no memory for it.
    boolean _ = Runtime.getRuntime().removeShutdownHook(new Thread());
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, problem) -> {
          endIfExhausted(problem);
          System.err.println("holdfast: the thread \"" + thread.getName() + "\" has ended:");
          problem.printStackTrace();
        });
  }

  /** For those who catch every error: returns unless this is one, or was caused by one. */
  public static void endIfExhausted(@Nullable Throwable problem) {
    OutOfMemoryError found = find(problem);
    if (found != null) {
      end(found);
    }
  }

  static @Nullable OutOfMemoryError find(@Nullable Throwable problem) {
    Throwable each = problem;
    for (int i = 0; each != null && i < MOST_CAUSES; i++) {
      if (each instanceof OutOfMemoryError exhausted) {
        return exhausted;
      }
      each = each.getCause();
    }
    return null;
  }

  /** Nothing on the way may need what is not there any more: so not {@code System.exit}. */
  private static void end(OutOfMemoryError why) {
    try {
      ERR.write(PREFIX);
      ERR.write((why.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (Throwable untold) {
      // It must end, told or not.
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
